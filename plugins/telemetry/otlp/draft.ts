// A record of the store made from an OTLP item, before key and tenant are known.
import type { contentId } from './content-id.ts'
import type { Source } from './source.ts'

/** What the items of one request are read with. */
export interface DraftContext {
  readonly source: Source
  readonly ids: ReturnType<typeof contentId>
  /** Numbers equal exceptions of one span. */
  readonly exceptions: Map<string, number>
}

export interface OtlpDraft {
  readonly name: 'otlp.span' | 'otlp.exception' | 'otlp.log' | 'otlp.metric'
  /** Made from the item itself, so that an item exported again is the same record. */
  readonly id: string
  /** Milliseconds; undefined: the time of receipt. */
  readonly occurredAt: number | undefined
  /** Nanoseconds past that millisecond. */
  readonly nanos?: number | undefined
  readonly attributes: ReadonlyMap<string, string>
  /** attrs aside, the record's content. */
  readonly content: Readonly<Record<string, unknown>>
}

/** An item that could not become a record. */
export interface RefusedItem {
  readonly reason: string
  /** Tell which it was and where it came from. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Drafts, and the items that could not become one. */
export interface Drafts {
  readonly drafts: readonly OtlpDraft[]
  readonly refused: readonly RefusedItem[]
  /** A list that is not known, beside those that are. */
  readonly unknown: string | undefined
}
