// Optional parameters: given, or not there at all.

/** The value without its undefined properties, as optional parameters want to be given. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function given<T extends object>(values: T): Given<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<T>
}
