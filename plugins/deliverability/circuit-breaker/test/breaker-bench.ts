// A breaker context on a separate database, for tests of several processes.

import type { MailOutcome } from '@keelson/mailer/contracts'
import { createGivenMailer, type GivenMailer } from '@keelson/mailer/testing'
import { type Clock, createNotify, openLeases, runTransaction, syncCollections } from '@keelson/sdk'
import { Value } from '@keelson/sdk/typebox'
import type { Db, MongoClient } from 'mongodb'
import type { BreakerContext } from '../breaker-context.ts'
import type { BucketRow } from '../buckets/bucket-row.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { type BreakerSettings, configSchema } from '../config.ts'
import manifest from '../plugin.json' with { type: 'json' }

/** Makes the collections and indexes. */
export const prepare = (db: Db): Promise<void> => syncCollections(db, manifest)

/** A context that reads outcomes from a list, in pages of 40. */
export function contextOn(
  { db, client }: { readonly db: Db; readonly client: MongoClient },
  {
    feed,
    mailer = {},
    now = () => new Date(),
    config = {}
  }: {
    readonly feed: readonly MailOutcome[]
    readonly mailer?: GivenMailer
    readonly now?: () => Date
    readonly config?: Partial<BreakerSettings>
  }
): BreakerContext {
  const nothing = async () => {}
  return {
    health: db.collection<BucketRow>('circuit_breaker_health'),
    changes: db.collection<ChangeRow>('circuit_breaker_changes'),
    withTransaction: (fn) => runTransaction(client, fn),
    ...seamsOf(db, { now }),
    settings: { ...(Value.Create(configSchema) as BreakerSettings), ...config },
    clock: { now },
    log: { error: nothing },
    hooks: () => [],
    mailer: createGivenMailer({
      async outcomes({ after = '0' } = {}) {
        const items = feed.slice(Number(after), Number(after) + PAGE)
        return { items, cursor: String(Number(after) + items.length) }
      },
      ...mailer
    })
  }
}

const PAGE = 40

function seamsOf(db: Db, clock: Clock) {
  const owner = 'circuit-breaker'
  const lease = openLeases({ db, clock, owner })
  const fetch = () => Promise.reject(new Error('it calls no address'))
  return { lease, notify: createNotify({ db, clock, owner, lease, fetch }) }
}
