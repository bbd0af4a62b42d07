// What broadcasts need beside the mailer's context: the contacts of a segment.
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { ContactSort } from '../contacts/adapter.ts'
import type { MailerContext } from '../context.ts'

/** A page of the contacts that a segment selects and marketing mail may reach. */
export interface SegmentPage {
  readonly members: readonly { readonly contact: MailContact }[]
  /** Left out on the last page. */
  readonly nextCursor?: string
}

/** Reads segments: contacts that are subscribed and not suppressed, whatever the definition says. */
export interface SegmentReader {
  /** Undefined when the definition can be used; else what is wrong with it, for people. */
  fault(definition: unknown): string | undefined
  /** In an order that stays the same from page to page. */
  page(
    definition: unknown,
    options: { readonly cursor?: string; readonly limit: number; readonly sort?: ContactSort }
  ): Promise<SegmentPage>
  count(definition: unknown): Promise<number>
}

/** What functions of broadcasts take first. */
export interface BroadcastContext extends MailerContext {
  readonly segments: SegmentReader
}
