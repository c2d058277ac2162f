import { chromium, type Browser } from "playwright-core";
import { chromiumArguments, ensureChromium } from "./chromium.ts";

/** Starts headless Chromium. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), headless: true, args: chromiumArguments });
}
