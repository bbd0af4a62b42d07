// What the functions of the circuit breaker work with.

import type { MailerCore } from '@keelson/mailer/contracts'
import type { Clock, Notify, TakeLease } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientSession, Collection } from 'mongodb'
import type { AggregateRow, BucketRow } from './buckets/bucket-row.ts'
import type { ChangeRow } from './changes/change-row.ts'
import type { BreakerSettings } from './config.ts'
import type { BreakerHook } from './contracts.ts'

/** What the functions of the circuit breaker work with. */
export interface BreakerContext {
  readonly health: Collection<BucketRow>
  readonly changes: Collection<ChangeRow>
  readonly withTransaction: <T>(fn: (session: ClientSession) => Promise<T>) => Promise<T>
  readonly lease: TakeLease
  readonly notify: Notify
  readonly settings: BreakerSettings
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'error'>
  readonly mailer: MailerCore
  readonly hooks: () => readonly BreakerHook[]
}

/** The row of the aggregate lives among the buckets. */
export function aggregateOf({ health }: BreakerContext): Collection<AggregateRow> {
  return health as unknown as Collection<AggregateRow>
}
