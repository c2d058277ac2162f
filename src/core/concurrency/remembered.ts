/** What was asked for by a key, asked once: those who come while it is on its way get the same answer. */
export function remembered<T>(
  known: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const before = known.get(key);
  if (before) return before;
  const answer = ask();
  known.set(key, answer);
  return answer;
}
