import { hostname, uptime } from "node:os";

/**
 * The name of this process for others on the same machine: host, process id, and when the process began, so that it can
 * be told whether it still runs.
 */
export function newSession(): string {
  return `${hostname()} ${process.pid} ${Math.round(performance.timeOrigin)} ${crypto.randomUUID()}`;
}

/**
 * Whether the process of a session still runs. One of another host does not: what is shared here lies on the disk of the
 * extension host, so that another name means a container that is gone.
 */
export function isRunning(session: string): boolean {
  const [host, pid, began] = session.split(" ");
  if (host !== hostname() || !/^\d{1,10}$/.test(pid ?? "")) return false;
  if (Number(pid) === process.pid) return Number(began) === Math.round(performance.timeOrigin);
  // The id may belong to another process since the machine was started.
  if (Number(began) < Date.now() - uptime() * 1000 - 5_000) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    // It runs for another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
