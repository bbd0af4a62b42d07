// Objects without the fields that are undefined: MongoDB would store those as null.

/** The same fields, without those that are undefined. */
export function defined<T extends object>(
  fields: T
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
