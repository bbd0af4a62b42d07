// What list hygiene keeps, and what its functions work with.

import type { MailerCore } from '@keelson/mailer/contracts'
import type { Clock, TakeLease } from '@keelson/sdk'
import type { ClientSession, Collection } from 'mongodb'
import type { HygieneSettings } from './config.ts'
import type { ContactRow } from './counts/contact-row.ts'
import type { HygieneReport } from './report/report.ts'
import type { Tally } from './report/tally.ts'

/** How far the feed of outcomes was read. */
export interface FeedRow {
  readonly _id: 'feed'
  readonly cursor: string | null
}

/** A walk over all subscriptions: where it is, and what it found so far. */
export interface WalkRow {
  readonly _id: 'walk'
  readonly startedAt: Date | null
  /** The last `externalId` of the page before. */
  readonly after: string | null
  readonly tally: Tally | null
}

/** The report of the last walk that came to its end. */
export interface ReportRow {
  readonly _id: 'report'
  readonly report: HygieneReport
}

/** What the functions of list hygiene work with. */
export interface HygieneContext {
  readonly contacts: Collection<ContactRow>
  readonly feed: Collection<FeedRow>
  readonly walk: Collection<WalkRow>
  readonly reports: Collection<ReportRow>
  readonly withTransaction: <T>(fn: (session: ClientSession) => Promise<T>) => Promise<T>
  readonly lease: TakeLease
  readonly mailer: MailerCore
  readonly clock: Clock
  readonly settings: HygieneSettings
}
