/** A part that is loaded and built at its first use, once, however many ask for it. */
export function late<Part>(build: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => (part ??= build());
}
