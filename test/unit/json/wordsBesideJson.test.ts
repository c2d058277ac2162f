import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wordsBesideJson } from "../../../src/core/json/wordsBesideJson.ts";
import { threadMs } from "../../rig/threadTime.ts";

describe("The words of a server", () => {
  it("stay as they are where there is no JSON in them", () => {
    for (const text of [
      "",
      "The chain is not supported.",
      "The type uint256[] memory takes [1, 2] and {} here.",
      '"Vault" is no contract.',
      "404",
    ])
      assert.equal(wordsBesideJson(text), text);
  });

  it("are what its JSON says, and nothing where that is data alone", () => {
    for (const [text, words] of [
      ['{"customCode":"x","message":"No such chain."}', "No such chain."],
      ['{"error":{"code":-32000,"message":"header not found"}}', "header not found"],
      ['[{"detail":"too many requests"}]', "too many requests"],
      ['"No such chain."', "No such chain."],
      ['Bad request: {"message":"no such chain"}', "Bad request: no such chain"],
      ['Bad request: {"errors":[{"reason":"no such chain"}]}', "Bad request: no such chain"],
      ['Compiler error:\n[{"severity":"error","sourceLocation":{"file":"a', "Compiler error"],
      [JSON.stringify({ message: JSON.stringify({ message: "inside" }) }), "inside"],
      ['{"a":1}', ""],
      ["[]", ""],
      ["{}", ""],
    ] as const)
      assert.equal(wordsBesideJson(text), words);
  });

  it("are none where its program failed, and end before the trace of that", () => {
    const trace =
      "\n    at compile (/app/Compilation.js:41:29)\n    at async Verification.verify (/app/verification.js:310:7)";
    for (const [text, words] of [
      [`TypeError: Cannot read properties of undefined (reading 'outputSelection')${trace}`, ""],
      ["Cannot read properties of null (reading 'match')", ""],
      ["TypeError: input.sources is not iterable", ""],
      [`RangeError: Invalid string length${trace}`, ""],
      [JSON.stringify({ message: `TypeError: a is undefined${trace}` }), ""],
      [`The database is not reachable${trace}`, "The database is not reachable"],
      [
        "No node answers\r\n\tat com.example.Node.ask(Node.java:12)\r\n\tat Main.main(Main.java)",
        "No node answers",
      ],
      // Errors of a compiler, and prose that goes on in the next line.
      [
        "TypeError: Undeclared identifier.\n  --> src/Vault.sol:19:9:",
        "TypeError: Undeclared identifier.\n  --> src/Vault.sol:19:9:",
      ],
      ["The address has to be given,\n at least", "The address has to be given,\n at least"],
    ] as const)
      assert.equal(wordsBesideJson(text), words);
    const start = threadMs();
    wordsBesideJson("\n at (".repeat(300_000));
    wordsBesideJson("Cannot read property '".repeat(100_000));
    assert.ok(threadMs() - start < 5_000);
  });

  it("are the title of a page that it hands on", () => {
    const page =
      "<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1></body></html>";
    for (const [text, words] of [
      [page, "502 Bad Gateway"],
      [`Could not ask: <!DOCTYPE html>${page}`, "Could not ask: 502 Bad Gateway"],
      ["Could not ask: <html><body>busy</body></html>", "Could not ask"],
      [JSON.stringify({ message: page }), "502 Bad Gateway"],
      ["Read from <stdin>: a < b", "Read from <stdin>: a < b"],
    ] as const)
      assert.equal(wordsBesideJson(text), words);
  });

  it("end where JSON is nested for ever, and take no longer for long ones", () => {
    let nested = "the end";
    for (let level = 0; level < 12; level++) nested = JSON.stringify({ message: nested });
    assert.equal(wordsBesideJson(nested), "");
    const start = threadMs();
    wordsBesideJson("[ ".repeat(500_000));
    wordsBesideJson(`{"message":${"[".repeat(500_000)}`);
    assert.ok(threadMs() - start < 5_000);
  });
});
