/**
 * Waits for work that others began or share, as long as the signal does not abort; the work goes on.
 *
 * @throws what the work throws, and the reason of the signal
 */
export async function whileWanted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal?.reason as Error);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}
