/** What the editor gives to a page: messages to the extension, and a place for what the page was showing. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The extension as a page sees it. */
interface EditorLink<Request, News, State extends object> {
  send(request: Request): void;
  /** Called for everything that the extension says. */
  onNews(listener: (news: News) => void): void;
  /** What was kept, over what a page shows at first; it outlives hiding the page and loading the window anew. */
  state(first: State): State;
  keep(change: Partial<State>): void;
}

/** The link of this page; the editor gives it once. */
export function editorLink<Request, News, State extends object>(): EditorLink<Request, News, State> {
  const api = acquireVsCodeApi();
  const kept = (): object => {
    const state = api.getState();
    return typeof state === "object" && state !== null ? state : {};
  };
  return {
    send: (request) => api.postMessage(request),
    onNews: (listener) =>
      window.addEventListener("message", (event: MessageEvent<News>) => listener(event.data)),
    state: (first) => ({ ...first, ...kept() }),
    keep: (change) => api.setState({ ...kept(), ...change }),
  };
}
