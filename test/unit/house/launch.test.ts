import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { eventually } from "../../rig/eventually.ts";
import { repositoryRoot } from "../../rig/paths.ts";

interface Launch {
  readonly name: string;
  readonly preLaunchTask?: string;
  readonly runtimeExecutable?: string;
  readonly args?: readonly string[];
}

interface Task {
  readonly label: string;
  readonly script: string;
  readonly problemMatcher: { readonly background?: { readonly endsPattern: string } };
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(repositoryRoot, file), "utf8"));
const { configurations } = read(".vscode/launch.json") as { configurations: readonly Launch[] };
const { tasks } = read(".vscode/tasks.json") as { tasks: readonly Task[] };
const { scripts, main } = read("package.json") as { scripts: Record<string, string>; main: string };

describe("F5", () => {
  it("names files, tasks and scripts that there are", () => {
    for (const { name, preLaunchTask, runtimeExecutable, args = [] } of configurations) {
      if (preLaunchTask !== undefined)
        assert.ok(
          tasks.some(({ label }) => label === preLaunchTask),
          name,
        );
      for (const argument of [runtimeExecutable ?? "", ...args]) {
        const [, path] = /\$\{workspaceFolder\}\/(.+)$/.exec(argument) ?? [];
        if (path !== undefined) assert.ok(existsSync(join(repositoryRoot, path)), `${name}: ${path}`);
        if (argument.includes("*"))
          assert.ok(globSync(argument, { cwd: repositoryRoot }).length > 0, `${name}: ${argument}`);
      }
    }
    for (const { label, script } of tasks) assert.ok(scripts[script] !== undefined, `${label}: ${script}`);
  });

  longIt("waits for a build that says when it is there", async () => {
    const { script, problemMatcher } =
      tasks.find(({ label }) => label === configurations[0]?.preLaunchTask) ?? assert.fail();
    const [, ...args] = /(esbuild\.mjs) (--watch)$/.exec(scripts[script] ?? "") ?? assert.fail();
    const ends = new RegExp(problemMatcher.background?.endsPattern ?? assert.fail());
    // The same sources, with a `dist` of its own.
    const place = await mkdtemp(join(tmpdir(), "watched-"));
    await symlink(join(repositoryRoot, "src"), join(place, "src"));
    const [file = "", ...flags] = args;
    // A group of its own: the compiler's service is a process of the build's, and would keep what it writes to open.
    const child = spawn(process.execPath, [join(repositoryRoot, file), ...flags], {
      cwd: place,
      detached: true,
    });
    try {
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      await eventually(() => {
        assert.match(output, ends);
        assert.ok(existsSync(join(place, main)), output);
      });
    } finally {
      const exit = once(child, "exit");
      process.kill(-(child.pid ?? assert.fail()), "SIGKILL");
      await exit;
      child.stdout.destroy();
      child.stderr.destroy();
      await rm(place, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
