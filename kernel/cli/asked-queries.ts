// The queries that a plugin asks while keelson check runs it, and those of them that no index serves.
import type { KeelsonError, Manifest } from '@keelson/sdk'
import type { Db, Document } from 'mongodb'
import { errors } from '../errors/errors.ts'
import type { StorageCommand } from '../storage/connect.ts'

/** Kinds of queries that are remembered. */
const MOST = 200

/** What an explanation needs of each command; sessions and times of the call are left out. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'sort', 'limit', 'skip', 'collation'],
  aggregate: ['pipeline', 'cursor', 'collation'],
  distinct: ['key', 'query'],
  count: ['query']
}

/** Remembers one query of each kind. */
export interface AskedQueries {
  note(command: StorageCommand): void
  /** A fault for each kind that reads or sorts whole collections of the plugin. */
  faults(db: Db, manifest: Manifest): Promise<readonly KeelsonError[]>
}

export function createAskedQueries(): AskedQueries {
  const asked = new Map<string, { readonly collection: string; readonly query: Document }>()
  return {
    note({ command, collection, body }) {
      const parts = PARTS[command]
      if (parts === undefined || asked.size >= MOST) return
      const given = parts.filter((part) => body[part] !== undefined)
      const query = {
        [command]: collection,
        ...Object.fromEntries(given.map((part) => [part, plain(body[part])]))
      }
      const key = JSON.stringify(shapeOf(query))
      if (!asked.has(key)) asked.set(key, { collection, query })
    },
    async faults(db, { id: plugin, collections = [] }) {
      const own = new Set(collections.map(({ name }) => name))
      const faults: KeelsonError[] = []
      for (const { collection, query } of [...asked.values()]) {
        if (!own.has(collection) || !isNarrowed(query)) continue
        if (await isServed(db, query)) continue
        const path = `collections[${collections.findIndex(({ name }) => name === collection)}]`
        const shape = JSON.stringify(shapeOf(query))
        faults.push(errors.KRN_CLI_QUERY_UNINDEXED({ plugin, path, collection, query: shape }))
      }
      return faults
    }
  }
}

/** The driver sends the order of a sort as a map. */
const plain = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value

/** Whether a query asks for some of the documents, or for an order. All of a collection needs no index. */
function isNarrowed({ filter, sort, query, pipeline }: Document): boolean {
  const isGiven = (part: unknown) =>
    typeof part === 'object' && part !== null && Object.keys(part).length > 0
  const [first = {}] = Array.isArray(pipeline) ? pipeline : []
  return [filter, sort, query, first.$match, first.$sort].some(isGiven)
}

/** An engine that cannot explain a query says nothing against it. */
async function isServed(db: Db, query: Document): Promise<boolean> {
  const plan = await db
    .command({ explain: query, verbosity: 'queryPlanner' })
    .then(JSON.stringify, () => '')
  return !/"stage":"(?:COLLSCAN|SORT)"/.test(plan)
}

/** The query without its values: numbers that say directions and limits stay. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return key === '$in' ? ['?'] : value.map((each) => shapeOf(each))
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  )
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, shapeOf(each, name)])
    )
  return value === 1 || value === -1 || isName(key, value) ? value : '?'
}

/** The collection, and fields that expressions name. */
const isName = (key: string, value: unknown): boolean =>
  key in PARTS || key === 'key' || (typeof value === 'string' && value.startsWith('$'))
