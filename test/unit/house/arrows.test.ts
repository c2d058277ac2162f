import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { cruise } from "dependency-cruiser";
import { repositoryRoot } from "../../rig/paths.ts";

/** The module specifiers of a file. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(repositoryRoot, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].flatMap(
    ([, specifier]) => specifier ?? [],
  );
}

/**
 * The drawn list, as CONTRIBUTING.md shows it: what each folder of core may import, besides itself, the chain ids, the errors
 * and the versions. Every arrow of the list is there, and no other.
 */
const ARROWS: Readonly<Record<string, string>> = {
  text: "",
  concurrency: "",
  files: "concurrency",
  json: "concurrency files text",
  rows: "text",
  git: "files text",
  http: "concurrency json text",
  evm: "concurrency json text",
  chains: "concurrency evm http json text",
  sources: "concurrency files json text",
  languages: "concurrency evm files http json sources text",
  tools: "concurrency evm files json languages sources text",
  service: "chains concurrency evm http json languages sources text",
  matching: "concurrency evm json languages service sources text",
  compilerInput: "concurrency evm files json languages matching sources text tools",
  compilers: "concurrency files http json languages matching service sources text",
  deployedCommit: "compilers concurrency evm files git json languages sources text",
  settingsSearch: "compilers concurrency evm json languages matching sources text tools",
  workspace: "compilerInput concurrency evm files json languages matching sources text tools",
  jobs: "chains compilerInput concurrency evm files http json languages matching rows service sources text tools workspace",
  ledger: "chains concurrency evm http json rows text",
  // Names are known from the workspace and from the verification service, too.
  "ledger/names": "chains concurrency evm http json ledger matching service text workspace",
  status: "concurrency http json rows text",
};

/** Of a path in the repository: the folder that the list names, or the file, where it lies in none. */
function partOf(path: string): string {
  const inCore = /^src\/core\/(.+)$/.exec(path)?.[1];
  if (inCore === undefined) return path.split("/").slice(0, 3).join("/");
  return inCore.startsWith("ledger/names/") ? "ledger/names" : (inCore.split("/")[0] ?? "");
}

/** Every import between our own files, as repository paths, those of types, too. */
async function imports(): Promise<{ from: string; to: string; isCircular: boolean }[]> {
  const { output } = await cruise([join(repositoryRoot, "src")], {
    baseDir: repositoryRoot,
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    ruleSet: { forbidden: [{ name: "circle", from: {}, to: { circular: true } }] },
    validate: true,
  });
  assert.ok(typeof output !== "string");
  return output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved, circular }) => ({
      from: source,
      to: resolved,
      isCircular: circular,
    })),
  );
}

describe("The house", () => {
  let all: Awaited<ReturnType<typeof imports>>;
  before(async () => {
    all = await imports();
  });

  it("keeps core free of VS Code", () => {
    const guilty = globSync("src/core/**/*.ts", { cwd: repositoryRoot }).filter((file) =>
      importsOf(file).includes("vscode"),
    );
    assert.deepEqual(guilty, []);
  });

  it("has the drawn arrows inside core and no other", () => {
    const drawn = new Set(
      Object.entries(ARROWS).flatMap(([from, to]) =>
        to === "" ? [] : to.split(" ").map((one) => `${from} → ${one}`),
      ),
    );
    const seen = new Set(
      all
        .filter(({ from, to }) => /^src\/core\/.+\//.test(from) && to.startsWith("src/"))
        .map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }))
        .filter(({ from, to }) => from !== to && !/^(?:chainId|errors|versions)\.ts$/.test(to))
        // What the ledger calls is a part of it.
        .filter(({ from, to }) => from !== "ledger" || to !== "ledger/names")
        .map(({ from, to }) => `${from} → ${to}`),
    );
    assert.deepEqual([...seen].sort(), [...drawn].sort());
  });

  it("begins its threads in files that nothing imports, drawn above all of core", () => {
    const workers = ["src/core/compilerWorker.ts", "src/core/dataWorker.ts"];
    assert.deepEqual(
      all.filter(({ to }) => workers.includes(to)),
      [],
    );
    const upward = all.filter(({ from, to }) => workers.includes(from) && !to.startsWith("src/core/"));
    assert.deepEqual(
      upward.filter(({ to }) => to.startsWith("src/")),
      [],
    );
    const text = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
    assert.match(text, /^ {2}core\/ +compilerWorker\.ts {2}dataWorker\.ts /m);
  });

  it("is drawn in CONTRIBUTING.md with every folder of core above those that it knows", () => {
    const text = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
    const drawing = /^ {2}core\/[^`]*/m.exec(text)?.[0] ?? "";
    const order = drawing
      .replace("core/", "")
      .split("\n")
      .flatMap((line) => /^ +((?:\w+\/ {1,2})+)/.exec(line)?.[1]?.trim().split(/ +/) ?? [])
      .map((folder) => folder.replace("/", ""));
    const folders = Object.keys(ARROWS).filter((folder) => !folder.includes("/"));
    assert.deepEqual(order.toSorted(), folders.toSorted());
    const upward = folders.flatMap((from) =>
      (ARROWS[from] ?? "")
        .split(" ")
        .filter((to) => to !== "" && order.indexOf(to) < order.indexOf(from))
        .map((to) => `${from} → ${to}`),
    );
    assert.deepEqual(upward, []);
  });

  it("has no circle of files, also none of types alone", () => {
    assert.ok(all.length > 1_000, "imports were found at all");
    const circles = all.filter(({ isCircular }) => isCircular).map(({ from, to }) => `${from} → ${to}`);
    assert.deepEqual(circles, []);
  });

  it("lets nothing of the editor know where the parts meet", () => {
    const wrong = all.filter(({ from, to }) => from.startsWith("src/editor/") && /^src\/[^/]+\.ts$/.test(to));
    assert.deepEqual(wrong, []);
  });

  it("lets nothing that all subjects of the editor share know what is drawn above it", () => {
    const [shared, ui] = [/^src\/editor\/[^/]+\.ts$/, /^src\/editor\/ui\//];
    const wrong = all.filter(
      ({ from, to }) =>
        to.startsWith("src/editor/") &&
        ((shared.test(from) && !shared.test(to)) || (ui.test(from) && !shared.test(to) && !ui.test(to))),
    );
    assert.deepEqual(wrong, []);
  });

  it("lets no subject of the editor know another", () => {
    const subjects = /^src\/editor\/(verification|ledger|status)\//;
    const wrong = all.filter(({ from, to }) => {
      const [one, other] = [subjects.exec(from)?.[1], subjects.exec(to)?.[1]];
      return one !== undefined && other !== undefined && one !== other;
    });
    assert.deepEqual(wrong, []);
  });

  it("loads undici in one file only, and that file at the first request only", () => {
    const users = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter((file) =>
      importsOf(file).some((name) => name.startsWith("undici/")),
    );
    assert.deepEqual(users, ["src/core/http/transport.ts"]);
    const loaders = all.filter(({ to }) => to === "src/core/http/transport.ts");
    assert.ok(loaders.every(({ from }) => from === "src/core/http/jsonClient.ts"));
    const client = readFileSync(join(repositoryRoot, "src/core/http/jsonClient.ts"), "utf8");
    assert.match(client, /import type \{[^}]*\} from "\.\/transport\.ts"/);
    assert.match(client, /await import\("\.\/transport\.ts"\)/);
  });

  it("speaks to the network in the rooms of HTTP only, and starts no other client", () => {
    const networks = /^(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/|$)|^(?:axios|got|ky|node-fetch|ws)$/;
    const users = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter((file) =>
      importsOf(file).some((name) => networks.test(name)),
    );
    assert.deepEqual(
      users.filter((file) => !file.startsWith("src/core/http/")),
      [],
    );
  });

  it("has no barrel files, no default exports and no drawers for everything", () => {
    const files = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot, exclude: ["src/**/*.d.ts"] });
    assert.deepEqual(
      files.filter((file) => /(?:^|\/)(?:index|utils?|helpers?|common|misc)\.ts$/.test(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) =>
        /export default|export \* from/.test(readFileSync(join(repositoryRoot, file), "utf8")),
      ),
      [],
    );
  });

  it("sizes its proofs in the test files themselves, where npm run test:long finds them", () => {
    const hidden = globSync("test/**/*.ts", { cwd: repositoryRoot }).filter(
      (file) =>
        !/\.test\.ts$|^test\/rig\/|^test\/(?:run|editorRun|foldersRun|restrictedRun)\.ts$/.test(file) &&
        /\b(?:proofSize|isWholeProof|longIt)\(/.test(readFileSync(join(repositoryRoot, file), "utf8")),
    );
    assert.deepEqual(hidden, []);
  });
});
