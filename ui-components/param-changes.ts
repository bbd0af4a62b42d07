// Changes of the parameters of an address.

/** Values to put into an address; `null` and the empty string remove the parameter. */
export type ParamChanges = Readonly<Record<string, string | null | undefined>>

/** The parameters that changes put into an address without any, for links to another page. */
export function addedParams(changes: ParamChanges): Record<string, string> {
  const entries = Object.entries(changes)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => !!entry[1]))
}
