// What a run of checks works with.
import type { MailerCore } from '@keelson/mailer/contracts'
import type { Settings } from '../config.ts'
import type { Lookup } from '../lookups/dns-answer.ts'
import type { Stored } from '../storage/rows.ts'

/** Everything that a run reads and writes. */
export interface DnsblContext {
  readonly settings: Settings
  readonly stored: Stored
  readonly mailer: Pick<MailerCore, 'senderDomains' | 'as'>
  /** Asks one name; see `createLookup`. */
  readonly lookup: Lookup
  readonly now: Date
  /** Ends the run: what was not asked stays due. */
  readonly signal: AbortSignal
}
