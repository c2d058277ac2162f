/** "Router (0.0.1007)", "SMC (0.0.456858)" */
export function nameWith(name: string, id: string): string {
  return `${name} (${id})`;
}
