// A storage whose calls can be held: `before` is awaited by each call of the database that seals.
import type { TelemetryStorage } from '../storage/storage.ts'

const METHODS: ReadonlySet<string> = new Set([
  'findOne',
  'deleteMany',
  'insertMany',
  'insertOne',
  'updateOne',
  'bulkWrite'
])

export function eachCall(storage: TelemetryStorage, before: () => Promise<void>): TelemetryStorage {
  const { collections } = storage
  const held = (collection: object) =>
    new Proxy(collection, {
      get(inner, key: string) {
        const value = Reflect.get(inner, key, inner) as unknown
        if (typeof value !== 'function' || !METHODS.has(key)) return value
        return async (...args: unknown[]) => {
          await before()
          return Reflect.apply(value, inner, args) as unknown
        }
      }
    })
  return {
    // After the work of the transaction and before it is committed.
    transaction: (fn) =>
      storage.transaction(async (session) => {
        const result = await fn(session)
        await before()
        return result
      }),
    collections: new Proxy(collections, {
      get: (target, role: keyof typeof collections) => held(target[role] as unknown as object)
    })
  }
}
