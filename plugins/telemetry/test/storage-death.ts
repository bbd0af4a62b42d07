// A storage that fails the nth call of the database, as if the process had died there.
import type { TelemetryStorage } from '../storage/storage.ts'

const METHODS: ReadonlySet<string> = new Set([
  'find',
  'findOne',
  'deleteMany',
  'insertMany',
  'insertOne',
  'updateOne',
  'updateMany',
  'bulkWrite'
])

export class Death {
  /** 0: never. */
  nth = 0
  calls = 0

  /** The next call that fails is the nth from now. */
  arm(nth: number): void {
    this.nth = nth
    this.calls = 0
  }

  #meet(): void {
    if (this.nth > 0 && ++this.calls === this.nth) throw new Error('killed')
  }

  within(storage: TelemetryStorage): TelemetryStorage {
    const watched = (collection: object) =>
      new Proxy(collection, {
        get: (inner, key: string) => {
          const value = Reflect.get(inner, key, inner) as unknown
          if (typeof value !== 'function' || !METHODS.has(key)) return value
          return (...args: unknown[]) => {
            this.#meet()
            return Reflect.apply(value, inner, args) as unknown
          }
        }
      })
    const { collections } = storage
    return {
      // And after the work of a transaction, before it is committed.
      transaction: (fn) =>
        storage.transaction(async (session) => {
          const result = await fn(session)
          this.#meet()
          return result
        }),
      collections: new Proxy(collections, {
        get: (target, role: keyof typeof collections) => watched(target[role] as unknown as object)
      })
    }
  }
}
