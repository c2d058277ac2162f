// What a service answers when the sources of a contract that it has verified before are compared with those here, by a real
// request; of the editor the stand-in has what that takes.
import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import type { AgreedSubmission } from "../../../src/core/jobs/submissionReview.ts";
import type { ChangedFile } from "../../../src/core/sources/standardJsonInput.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import type { DocumentParts, ServiceParts } from "../../../src/editor/verification/verificationParts.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const EDITOR = `
  const nothing = () => ({ dispose() {} });
  export class EventEmitter { event = nothing; fire() {} dispose() {} }
  export const workspace = { textDocuments: [], fs: { readFile: async () => { throw new Error("no file is there"); } } }, window = {}, FileType = {};
  export const commands = { executeCommand: (...call) => void globalThis.commandsRun.push(call) };
  export class FileSystemError extends Error {}
  export class Disposable {}
  export class ThemeIcon {}
  export class ThemeColor {}
  export class TreeItem {}
  export const ProgressLocation = {}, QuickPickItemKind = {}, QuickInputButtons = {}, TreeItemCollapsibleState = {};
  export const Uri = { file: (path) => ({ scheme: "file", fsPath: path, path }) };
`;
standInForEditor(EDITOR);
const commandsRun: unknown[][] = [];
Object.assign(globalThis, { commandsRun });
const { comparedWithVerified } = await import("../../../src/editor/verification/alreadyVerified.ts");

const ADDRESS = `0x${"ab".repeat(20)}`;
const HERE = "src/Vault.sol";
const TEXT = "contract Vault { string secret = 'only here'; }\n";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  commandsRun.length = 0;
  for (const stop of stops.splice(0)) await stop();
});

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** A service that answers so, and what a comparison with it comes to. */
async function against(
  listener: RequestListener,
  sources: Readonly<Record<string, string>> = { [HERE]: TEXT },
) {
  const asked: Asked[] = [];
  const server = await startServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push({ method: request.method, url: request.url, body });
      listener(request, response);
    });
  });
  const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  stops.push(
    () => http.dispose(),
    () => server.stop(),
  );
  const put: { readonly path: readonly string[]; readonly text: string }[] = [];
  const parts = {
    service: (url: string) => new VerificationService(http, url),
    documents: {
      put: (path: readonly string[], text: string) => {
        put.push({ path, text });
        return { path: path.join("/") };
      },
    },
  } as unknown as ServiceParts & DocumentParts;
  const submission = {
    service: server.url,
    deployment: { chainId: "296", address: ADDRESS },
    kept: {
      input: {
        sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
      },
      files: Object.keys(sources).map((name) => ({ name, path: `/w/${name}` })),
    },
  } as unknown as AgreedSubmission;
  const compare = (signal = new AbortController().signal, changed: readonly ChangedFile[] = []) =>
    comparedWithVerified(parts, submission, signal, changed);
  return { compare, asked, put };
}

const CONTRACT = { match: "exact_match", chainId: "296", address: ADDRESS };

/** @param answer merged into that of a contract that is verified there; JSON as text where it can't be a value */
function answering(answer: object | string): RequestListener {
  const text = typeof answer === "string" ? answer : JSON.stringify({ ...CONTRACT, ...answer });
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };
}

const filesOf = (files: Readonly<Record<string, string>>) => ({
  sources: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, { content }])),
});

/** The code of the error that a comparison ends in. */
function failure(comparison: Promise<unknown>): Promise<string> {
  return comparison.then(
    () => assert.fail("it was compared"),
    (error: unknown) => {
      assert.ok(error instanceof LedgerLensError, String(error));
      return error.code;
    },
  );
}

describe("The comparison with what a contract was verified with before", () => {
  it("asks that service once for that contract, and tells it nothing of what is here", async () => {
    const { compare, asked } = await against(answering(filesOf({ [HERE]: TEXT })));
    assert.deepEqual(await compare(), { apart: [], button: undefined });
    const fields = "sources,compilation.fullyQualifiedName";
    assert.deepEqual(
      asked.map((one) => ({ ...one, url: one.url?.toLowerCase() })),
      [{ method: "GET", url: `/v2/contract/296/${ADDRESS}?fields=${fields}`.toLowerCase(), body: "" }],
    );
  });

  it("calls no file the verified one that was edited since the build, though the build is what was verified", async () => {
    const { compare, asked } = await against(answering(filesOf({ [HERE]: TEXT })));
    const changed = (change: ChangedFile["change"]) => [{ name: HERE, path: `/w/${HERE}`, change }];
    const edited = await compare(undefined, changed("edited"));
    assert.deepEqual(edited?.apart, [{ name: HERE, change: "edited" }]);
    assert.equal(edited.button?.label, "Compare With Workspace");
    // Of line ends alone the compiler makes nothing else.
    assert.deepEqual((await compare(undefined, changed("line endings")))?.apart, []);
    assert.equal(asked.length, 2);
  });

  it("takes a file for another one where their texts differ in line ends, in a mark or in a sign", async () => {
    for (const [theirs, change] of [
      [TEXT.replaceAll("\n", "\r\n"), "line endings"],
      [`\ufeff${TEXT}`, "line endings"],
      [TEXT.replace("Vault", "Vаult"), "edited"],
      ["", "edited"],
    ] as const) {
      const { compare } = await against(answering(filesOf({ [HERE]: theirs })));
      assert.deepEqual((await compare())?.apart, [{ name: HERE, change }], JSON.stringify(theirs));
    }
  });

  it("takes no file for the verified one whose text is that of another file", async () => {
    const files = { "src/A.sol": "contract A {}\n", "src/B.sol": "contract B {}\n" };
    const swapped = { "src/A.sol": files["src/B.sol"], "src/B.sol": files["src/A.sol"] };
    const { compare } = await against(answering(filesOf(swapped)), files);
    assert.deepEqual((await compare())?.apart, [
      { name: "src/A.sol", change: "edited" },
      { name: "src/B.sol", change: "edited" },
    ]);
    // Under other names, as a service may know them, texts alone count.
    const moved = { "project/A.sol": files["src/A.sol"], "project/B.sol": files["src/B.sol"] };
    assert.deepEqual((await (await against(answering(filesOf(moved)), files)).compare())?.apart, []);
  });

  it("has nothing to say where an answer has no files, whatever it has in their place", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const sources of [
      "null",
      "7",
      '"x"',
      "[]",
      "{}",
      '[{"content":"x"}]',
      '{"a":7}',
      '{"a":{"content":7}}',
      deep,
    ]) {
      for (const compilation of ["null", "7", '{"fullyQualifiedName":7}', deep]) {
        const text = `{"match":"match","sources":${sources},"compilation":${compilation}}`;
        const { compare } = await against(answering(text));
        assert.equal(await compare(), undefined, text.slice(0, 100));
      }
    }
  });

  it("ends in an error of ours where an answer is none or is about something else", async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024, 0x20));
    const cases: readonly (readonly [string, RequestListener])[] = [
      ["wrong_answer", answering({ ...filesOf({ [HERE]: TEXT }), chainId: "1" })],
      ["wrong_answer", answering({ ...filesOf({ [HERE]: TEXT }), address: `0x${"cd".repeat(20)}` })],
      ["wrong_shape", answering("[]")],
      ["not_json", answering(`${JSON.stringify(CONTRACT).slice(0, -1)},"sources":{`)],
      ["not_json", answering("<html>")],
      [
        "too_large",
        (_request, response) => {
          response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
        },
      ],
      [
        "unreachable",
        (_request, response) => {
          response.writeHead(200, { "content-length": "100" });
          response.write("{");
          setImmediate(() => response.destroy());
        },
      ],
    ];
    for (const [code, listener] of cases) {
      const { compare, asked } = await against(listener);
      assert.equal(await failure(compare()), code);
      // A connection that is closed may have been a kept one.
      assert.equal(asked.length, code === "unreachable" ? 2 : 1, `${code}: it is not asked again`);
    }
  });

  it("follows an answer to no other server", async () => {
    const elsewhere = await startServer(answering(filesOf({ [HERE]: TEXT })));
    stops.push(() => elsewhere.stop());
    for (const status of [301, 302, 303, 307, 308]) {
      const { compare } = await against((_request, response) => {
        response.writeHead(status, { location: `${elsewhere.url}/v2/contract/296/${ADDRESS}` }).end();
      });
      assert.equal(await failure(compare()), "redirect_refused");
    }
    assert.deepEqual(elsewhere.asked, []);
  });

  it("is left at once where the service never answers", async () => {
    const leaving = new AbortController();
    const { compare } = await against(() => {
      leaving.abort();
    });
    assert.equal(await failure(compare(leaving.signal)), "cancelled");
  });

  it("shows a file in a document of its own whatever the service calls it", async () => {
    const names = [
      "../../../../etc/passwd/Vault.sol",
      "/Vault.sol",
      "//evil.example/share/Vault.sol",
      "file:///home/me/Vault.sol",
      "command:workbench.action.closeWindow?/Vault.sol",
      "a\u202e/\u0000b/$(trash)/[x](command:y)/Vault.sol",
      "\ud800/Vault.sol",
      "__proto__/Vault.sol",
      `${"x".repeat(1_000_000)}/Vault.sol`,
      `${"a/".repeat(500_000)}Vault.sol`,
    ];
    for (const name of names) {
      const { compare, put } = await against(answering(filesOf({ [name]: "theirs" })));
      const { apart, button } = (await compare()) ?? assert.fail(name);
      assert.deepEqual(apart, [{ name: HERE, change: "edited" }]);
      await button?.run();
      const [shown] = put;
      assert.ok(shown, name.slice(0, 100));
      assert.equal(shown.text, "theirs");
      const path = shown.path.join("/");
      assert.match(path, /^verified\/296\/0x(?:ab){20}\/.*Vault\.sol$/);
      assert.ok(path.length < 10_000, `${name.slice(0, 20)}: ${path.length} characters`);
      assert.doesNotMatch(path, /[\p{Cc}\p{Cf}\p{Cs}]|\]\(|\$\(/u);
      assert.ok(!path.split("/").some((segment) => /^\.*$/.test(segment)), path.slice(0, 100));
      const [command, , mine, title] = commandsRun.splice(0).at(-1) ?? [];
      assert.deepEqual([command, title], ["vscode.diff", "Vault.sol: verified ↔ workspace"]);
      assert.equal((mine as { readonly path: string }).path, `/w/${HERE}`);
    }
    for (const name of ["", "..", "/", "\u0000", "__proto__", "constructor", "..\\..\\Vault.sol"]) {
      const { compare } = await against(
        answering(`{"match":"match","sources":{${JSON.stringify(name)}:{"content":"x"}}}`),
      );
      assert.deepEqual(
        await compare(),
        { apart: [{ name: HERE, change: "edited" }], button: undefined },
        JSON.stringify(name),
      );
    }
  });

  it("is made with as many files as a service sends, each looked at once", async () => {
    const theirs = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, at) => [
        `lib/${at}/src/${"inner/".repeat(10)}${at}.sol`,
        String(at),
      ]),
    );
    const here = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`here/${at}.sol`, at < 1_000 ? String(at) : "another"]),
    );
    const { compare } = await against(answering(filesOf(theirs)), here);
    const found = await compare();
    assert.equal(found?.apart.length, 1_000);
    assert.ok(found.button);
  });
});
