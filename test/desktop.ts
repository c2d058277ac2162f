// Runs the editor suites in a desktop VS Code, which is downloaded: this needs the internet.
import { runTests } from "@vscode/test-electron";
import { prepareEditorTests } from "./editorRun.ts";
import { repositoryRoot } from "./rig/paths.ts";

const prepared = await prepareEditorTests();
try {
  await runTests({
    extensionDevelopmentPath: repositoryRoot,
    extensionTestsPath: prepared.tests,
    launchArgs: [prepared.folder, "--disable-extensions", "--disable-workspace-trust"],
    extensionTestsEnv: { ...prepared.env },
  });
} catch (error) {
  console.error(
    `The tests in the desktop editor failed, or VS Code could not be downloaded: ${String(error)}`,
  );
  process.exitCode = 1;
} finally {
  await prepared.stop();
}
process.exit();
