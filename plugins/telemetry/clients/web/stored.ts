// What a page remembers between visits: who, which session, and records that were not taken yet.
import type { ClientRecord } from '../record.ts'

/** The part of localStorage that is used. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface Identity {
  anon: string
  user?: string
  session: string
  /** When the session was last used. */
  seenAt: number
}

const WEEK_MS = 7 * 86_400_000
const MOST_CHARACTERS = 500_000

/** Storage that may be full, forbidden or absent: then things live as long as the page. */
export function createStored(storage: PageStorage | undefined, prefix: string, tab: string) {
  const attempt = <T>(act: (storage: PageStorage) => T): T | undefined => {
    try {
      return storage === undefined ? undefined : act(storage)
    } catch {
      return undefined
    }
  }
  const read = (key: string) =>
    attempt((from) => JSON.parse(from.getItem(key) ?? 'null') as unknown) ?? undefined
  const write = (key: string, value: unknown) =>
    attempt((to) => {
      to.setItem(key, JSON.stringify(value))
      return true
    }) === true
  const keys = () =>
    attempt((from) =>
      Array.from({ length: from.length }, (_, at) => from.key(at) ?? '').filter((key) =>
        key.startsWith(prefix)
      )
    ) ?? []
  const remove = (key: string) => attempt((from) => from.removeItem(key))

  return {
    identity: () => read(`${prefix}who`) as Identity | undefined,
    remember: (who: Identity) => write(`${prefix}who`, who),
    /** Keeps as much of the end of the queue as there is room for. */
    save(queue: readonly ClientRecord[]) {
      const key = `${prefix}q:${tab}`
      if (queue.length === 0) return void remove(key)
      let kept = queue
      while (kept.length > 0) {
        if (JSON.stringify(kept).length < MOST_CHARACTERS && write(key, kept)) return
        kept = kept.slice(Math.ceil(kept.length / 2))
      }
    },
    /**
     * Takes over what other tabs and earlier visits left. When such a tab still lives, both send the same
     * records: the server takes each once.
     */
    adopt(now: number): ClientRecord[] {
      const found = keys().filter((key) => key.startsWith(`${prefix}q:`))
      return found.flatMap((key) => {
        const queue = read(key)
        remove(key)
        return Array.isArray(queue)
          ? (queue as ClientRecord[]).filter((record) => record?.occurredAt > now - WEEK_MS)
          : []
      })
    },
    /** Who the visitor is. */
    forget: () => remove(`${prefix}who`),
    clear() {
      for (const key of keys()) remove(key)
    }
  }
}

export type Stored = ReturnType<typeof createStored>
