import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { machineFolders, placesOfOtherTools } from "../../../src/core/compilers/otherTools.ts";

const NAME = "soljson-v0.8.28+commit.7893614a.js";
const places = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}) =>
  placesOfOtherTools("0.8.28+commit.7893614a", [], { platform, home, env }).map((place) =>
    place.replaceAll("\\", "/"),
  );

describe("Where other tools keep compilers", () => {
  it("is below the cache and the configuration of the user on Linux, wherever these are", () => {
    assert.deepEqual(places("linux", "/home/eve"), [
      `/home/eve/.cache/hardhat-nodejs/compilers-v2/wasm/${NAME}`,
      `/home/eve/.cache/hardhat-nodejs/compilers-v3/wasm/${NAME}`,
      `/home/eve/.config/truffle/compilers/${NAME}`,
    ]);
    assert.deepEqual(
      places("linux", "/home/eve", { XDG_CACHE_HOME: "/cache", XDG_CONFIG_HOME: "/settings" }),
      [
        `/cache/hardhat-nodejs/compilers-v2/wasm/${NAME}`,
        `/cache/hardhat-nodejs/compilers-v3/wasm/${NAME}`,
        `/settings/truffle/compilers/${NAME}`,
      ],
    );
  });

  it("is in no folder of the moment where the environment names an empty one", () => {
    const empty = { XDG_CACHE_HOME: "", XDG_CONFIG_HOME: "", LOCALAPPDATA: "", APPDATA: "" };
    for (const platform of ["linux", "darwin", "win32"] as const)
      assert.deepEqual(places(platform, "/home/eve", empty), places(platform, "/home/eve"));
  });

  it("is below the library on macOS", () => {
    assert.deepEqual(places("darwin", "/Users/eve", { XDG_CACHE_HOME: "/cache" }), [
      `/Users/eve/Library/Caches/hardhat-nodejs/compilers-v2/wasm/${NAME}`,
      `/Users/eve/Library/Caches/hardhat-nodejs/compilers-v3/wasm/${NAME}`,
      `/Users/eve/Library/Preferences/truffle/compilers/${NAME}`,
    ]);
  });

  it("is below the folders for applications on Windows", () => {
    const expected = (local: string, roaming: string) => [
      `${local}/hardhat-nodejs/Cache/compilers-v2/wasm/${NAME}`,
      `${local}/hardhat-nodejs/Cache/compilers-v3/wasm/${NAME}`,
      `${roaming}/truffle-nodejs/Config/compilers/${NAME}`,
    ];
    const env = { LOCALAPPDATA: "D:/Local", APPDATA: "D:/Roaming" };
    assert.deepEqual(places("win32", "C:/Users/Eve", env), expected("D:/Local", "D:/Roaming"));
    assert.deepEqual(
      places("win32", "C:/Users/Eve"),
      expected("C:/Users/Eve/AppData/Local", "C:/Users/Eve/AppData/Roaming"),
    );
  });

  it("is where the project has npm's compiler, too, last of all", () => {
    const all = placesOfOtherTools("0.8.28+commit.7893614a", ["/one", "/two"], machineFolders());
    assert.deepEqual(all.slice(-2), [
      "/one/node_modules/solc/soljson.js",
      "/two/node_modules/solc/soljson.js",
    ]);
    assert.equal(all.length, 5);
  });
});
