import type { RecordFormat } from "../recordFormat.ts";

/** build-info of Hardhat 2, of Remix and of what else says no other form. */
export const hardhat2Record: RecordFormat = {
  name: "hardhat-2",
  isOf: () => true,
  isNamedByImport: true,
};
