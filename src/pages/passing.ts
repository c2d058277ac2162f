import { useEffect, useState } from "preact/hooks";

const PASSING_MS = 4_000;

/** What was just done, for a while, and what tells it. */
export function usePassing(): readonly [words: string, tell: (words: string) => void] {
  const [told, setTold] = useState({ words: "" });
  useEffect(() => {
    if (told.words === "") return undefined;
    const timer = setTimeout(() => setTold({ words: "" }), PASSING_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return [told.words, (words) => setTold({ words })];
}
