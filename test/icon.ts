// Draws the icon of the marketplaces, media/icon.png, from media/icon.svg: npm run icon
import { readFile } from "node:fs/promises";
import { startBrowser } from "./rig/browser.ts";
import { repositoryRoot } from "./rig/paths.ts";

const SIZE = 256;

const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  const drawing = await readFile(`${repositoryRoot}/media/icon.svg`, "utf8");
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await page.screenshot({ path: `${repositoryRoot}/media/icon.png`, omitBackground: true });
} finally {
  await browser.close();
}
