/** Creation code that deploys exactly the given runtime code, which is hex without `0x`. */
export function creationOf(runtime: string): string {
  const size = (runtime.length / 2).toString(16).padStart(4, "0");
  return `0x61${size}80600a5f395ff3${runtime}`;
}

/** A minimal proxy as EIP-1167 has it, without `0x`. */
export function minimalProxy(implementation: string): string {
  return `363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
}

/** Creation code of an ERC-5202 blueprint that holds the given creation code. */
export function blueprintOf(creation: string): string {
  return creationOf(`fe7100${creation.replace(/^0x/, "")}`);
}
