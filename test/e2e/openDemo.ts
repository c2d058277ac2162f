import { after, before } from "node:test";
import { startDemoWorld, type DemoWorld } from "../demoWorld.ts";
import { Workbench } from "../rig/workbench.ts";

/** The demo's world and a workbench in it, for the tests of a suite; both are there once the first test begins. */
export interface OpenDemo {
  readonly world: DemoWorld;
  readonly workbench: Workbench;
}

/** Starts the demo's world before the suite in which it is called, and takes it down afterwards. */
export function openDemo(): OpenDemo {
  const demo: { -readonly [Part in keyof OpenDemo]?: OpenDemo[Part] } = {};
  const cleanUp: (() => Promise<void>)[] = [];
  before(async () => {
    const world = (demo.world = await startDemoWorld());
    cleanUp.unshift(() => world.stop());
    const workbench = (demo.workbench = await Workbench.open(world.editor.url, world.workspace));
    cleanUp.unshift(() => workbench.close());
  });
  after(async () => {
    for (const stop of cleanUp) await stop();
  });
  return demo as OpenDemo;
}
