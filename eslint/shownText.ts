import type { Linter } from "eslint";

const CAST = {
  selector:
    ":matches(TSAsExpression, TSTypeAssertion) TSTypeReference[typeName.name=/^(ShownText|DocumentText)$/]",
  message: "Only src/core/text makes text that is fit to be shown.",
};

const UI = "src/editor/ui has the way that takes ShownText.";

/** What is fit to be shown comes from src/core/text and nowhere else. */
export const SHOWN_TEXT_RULES: Linter.RulesRecord = { "no-restricted-syntax": ["error", CAST] };

/**
 * The editor reads links and icons in most of what it shows. src/editor/ui has the only ways there, and they take
 * ShownText alone.
 */
export const SURFACE_RULES: Linter.RulesRecord = {
  "no-restricted-properties": [
    "error",
    ...[
      ...["showInformationMessage", "showWarningMessage", "showErrorMessage", "setStatusBarMessage"],
      ...["showQuickPick", "showInputBox", "createQuickPick", "createInputBox", "withProgress"],
      ...[
        "createStatusBarItem",
        "createOutputChannel",
        "createWebviewPanel",
        "createTextEditorDecorationType",
      ],
    ].map((property) => ({ property, message: UI })),
  ],
  "no-restricted-syntax": [
    "error",
    CAST,
    {
      selector:
        "NewExpression[callee.property.name=/^(TreeItem|Diagnostic|DiagnosticRelatedInformation|CodeLens|Hover|MarkdownString|CodeAction|InlayHint)$/]",
      message: UI,
    },
    {
      selector:
        "AssignmentExpression > MemberExpression.left[property.name=/^(label|description|detail|tooltip|text|title|message|prompt|placeholder|validationMessage|accessibilityInformation)$/]",
      message: "What is shown is set in src/editor/ui, from ShownText.",
    },
    {
      selector: "CallExpression[callee.property.name='executeCommand'] > Literal[value='vscode.diff']",
      message: UI,
    },
  ],
};
