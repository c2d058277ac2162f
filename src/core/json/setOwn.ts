/** Gives an object a property of its own as `JSON.parse` does, whatever its name is, `__proto__` among them. */
export function setOwn(record: object, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}
