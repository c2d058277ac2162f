/** A part that is loaded and built at its first use, once, however many ask for it. One that failed is tried again. */
export function late<Part>(build: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () =>
    (part ??= build().catch((error: unknown) => {
      part = undefined;
      throw error;
    }));
}
