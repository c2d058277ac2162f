import type { Memento } from "vscode";

/** A value that the editor keeps under a name, in any form that an earlier version may have given it. */
export function storedValue(memento: Memento, name: string) {
  return {
    get: () => memento.get<unknown>(name),
    set: (value: unknown) => memento.update(name, value),
  };
}
