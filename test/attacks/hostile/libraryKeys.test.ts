import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsFromMetadata } from "../../../src/core/compilerInput/metadataInput.ts";
import { parseJson } from "../../../src/core/json/looseData.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import type { SettingChanges } from "../../../src/core/matching/explanation.ts";
import { inputFrom } from "../../unit/compilerInput/inputFrom.ts";
import { INHERITED_NAMES, sharedObjects } from "./prototypes.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;
const shared = sharedObjects();

describe("A library with the name of something that every object has", () => {
  for (const file of INHERITED_NAMES)
    for (const name of ["NODE_OPTIONS", ...INHERITED_NAMES])
      it(`stays a library in metadata and in foundry.toml: ${file}:${name}`, async () => {
        const settings = settingsFromMetadata(
          parseJson(`{"libraries":{"${file}:${name}":"${ADDRESS}"}}`) as Record<string, unknown>,
        );
        shared.assertUntouched("metadata");
        assert.equal(JSON.stringify(settings["libraries"]), `{"${file}":{"${name}":"${ADDRESS}"}}`);

        const input = await inputFrom(
          "/w",
          {
            "foundry.toml": `[profile.default]\nlibraries = ["${file}:${name}:${ADDRESS}"]`,
            "src/A.sol": "pragma solidity 0.8.28; contract A {}",
          },
          "src/A.sol:A",
        );
        shared.assertUntouched("foundry.toml");
        const sent = JSON.stringify(input.stdJsonInput.settings["libraries"]);
        assert.equal(sent, `{"${file}":{"${name}":"${ADDRESS}"}}`);
      });

  for (const name of INHERITED_NAMES)
    it(`is changed and taken out by a resubmission: ${name}`, () => {
      const settings = parseJson(`{"libraries":{"${name}":{"${name}":"0x1","Kept":"0x2"}}}`) as Record<
        string,
        unknown
      >;
      const submitted = {
        compilerVersion: "0.8.28",
        contractIdentifier: "A.sol:A",
        stdJsonInput: { language: "Solidity", sources: {}, settings } as const,
      };
      const changed = (libraries: string) =>
        withChanges(submitted, { settings: parseJson(libraries) as SettingChanges }).stdJsonInput.settings;
      const other = changed(`{"libraries":{"${name}":{"${name}":"0x3"}}}`);
      assert.equal(JSON.stringify(other), `{"libraries":{"${name}":{"${name}":"0x3","Kept":"0x2"}}}`);
      const without = changed(`{"libraries":{"${name}":{"${name}":null}}}`);
      assert.equal(JSON.stringify(without), `{"libraries":{"${name}":{"Kept":"0x2"}}}`);
      shared.assertUntouched("a resubmission");
    });
});
