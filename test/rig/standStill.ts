/** Lets this thread do nothing for a while, as one does that is busy with something large, and takes no processor for it. */
export function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
