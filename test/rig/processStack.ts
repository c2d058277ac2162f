/** Where a Node process listens once it was asked to be inspected. */
const INSPECTOR = "http://127.0.0.1:9229/json/list";
/** So long a process that stands still may take to answer: what waits in the system never does. */
const ANSWER_MS = 10_000;

/**
 * What a Node process is at, for a run that does not end: the functions of its main thread, the innermost first.
 *
 * @returns a function on each line, or one line that says that there was no answer
 */
export async function stackOf(pid: number): Promise<string> {
  try {
    process.kill(pid, "SIGUSR1");
    return await pausedStack(await inspectorAddress());
  } catch (error) {
    return `process ${pid} did not tell what it is at: ${String(error)}`;
  }
}

async function inspectorAddress(): Promise<string> {
  for (const end = Date.now() + ANSWER_MS; ;) {
    const answer = await fetch(INSPECTOR).catch(() => undefined);
    const [target] = ((await answer?.json()) ?? []) as readonly { readonly webSocketDebuggerUrl: string }[];
    if (target) return target.webSocketDebuggerUrl;
    if (Date.now() > end) throw new Error("no inspector began to listen");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Pauses the process, and lets it go on when it said where it was. A loop that runs is paused within it. */
async function pausedStack(address: string): Promise<string> {
  const socket = new WebSocket(address);
  const send = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
  try {
    return await new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error("it runs nothing, or waits in the system")), ANSWER_MS).unref();
      socket.addEventListener("error", () => reject(new Error("the inspector went away")));
      socket.addEventListener("open", () => {
        send(1, "Debugger.enable");
        send(2, "Debugger.pause");
      });
      socket.addEventListener("message", ({ data }) => {
        const { method, params } = JSON.parse(String(data)) as Message;
        if (method !== "Debugger.paused") return;
        send(3, "Debugger.resume");
        const lines = params.callFrames.map(
          ({ functionName, url, location }) => `${functionName} ${url}:${location.lineNumber + 1}`,
        );
        resolve(lines.join("\n"));
      });
    });
  } finally {
    socket.close();
  }
}

interface Message {
  readonly method?: string;
  readonly params: {
    readonly callFrames: readonly {
      readonly functionName: string;
      readonly url: string;
      readonly location: { readonly lineNumber: number };
    }[];
  };
}
