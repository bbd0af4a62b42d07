// Reads by long lists, in commands of a limited size.

const CHUNK = 2000

/** What `read` returns for the items, 2000 at a time, in one list. */
export async function inChunks<T, R>(
  items: readonly T[],
  read: (chunk: T[]) => Promise<readonly R[]>
): Promise<R[]> {
  const found: R[] = []
  for (let at = 0; at < items.length; at += CHUNK) {
    found.push(...(await read(items.slice(at, at + CHUNK))))
  }
  return found
}
