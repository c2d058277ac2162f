/** Milliseconds for which this thread has worked, which is the same on a busy machine as on one that does nothing else. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
