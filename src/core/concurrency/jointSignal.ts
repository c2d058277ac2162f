import { setMaxListeners } from "node:events";

/**
 * Does work with a signal that aborts as soon as one of several does. When the work is over, nothing of it stays with
 * them: what `AbortSignal.any` makes leaves something behind at a signal that lives on, such as that of a disposal.
 */
export async function withJointSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joint = new AbortController();
  const abort = ({ target }: Event) => joint.abort((target as AbortSignal).reason);
  const all = signals.filter((signal) => signal !== undefined);
  for (const signal of all) {
    if (signal.aborted) joint.abort(signal.reason);
    // As many as there is work at once; Node takes more than ten for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", abort);
  }
  try {
    return await work(joint.signal);
  } catch (error) {
    // What was begun beside what failed ends with it.
    joint.abort(error);
    throw error;
  } finally {
    for (const signal of all) signal.removeEventListener("abort", abort);
  }
}
