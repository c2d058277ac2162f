import type { Submittable } from "../matching/resubmission.ts";

/** A submission with the line endings of Windows in every file, or without where one has them. */
export function withOtherLineEndings(submission: Submittable): Submittable {
  const { stdJsonInput } = submission;
  const files = Object.entries(stdJsonInput.sources);
  const isWindows = files.some(([, { content }]) => content.includes("\r\n"));
  const sources = files.map(([name, { content }]) => {
    const plain = content.replaceAll("\r\n", "\n");
    return [name, { content: isWindows ? plain : plain.replaceAll("\n", "\r\n") }] as const;
  });
  return { ...submission, stdJsonInput: { ...stdJsonInput, sources: Object.fromEntries(sources) } };
}
