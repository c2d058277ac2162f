/** Says when to give up, and nothing else: longer than any step takes on a machine that is busy with other things. */
export const PATIENCE_MS = 90_000;
const PAUSE_MS = 100;

/**
 * Looks again until what a person reads holds: names and figures may arrive after the row that they belong to. What
 * the last look found wrong is thrown when patience ends.
 */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
