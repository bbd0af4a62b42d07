// The lines of a journal of deliveries. Pure.
import type { ProcessMark } from './process-mark.ts'

/** What a journal says of a delivery. `open`: it began, and no answer is known. */
export type Recorded =
  | { readonly kind: 'open' }
  | { readonly kind: 'accepted'; readonly providerMessageId: string }
  /** The provider does not have the mail. */
  | { readonly kind: 'refused' }

/** A journal that was read. */
export interface ReadJournal {
  readonly mark: ProcessMark
  /** By `keyOf` the delivery. A delivery that is missing did not begin. */
  readonly deliveries: ReadonlyMap<string, Recorded>
}

/** Names a delivery: the mail, and the number of its try. */
export const keyOf = (sendId: string, attempt: number): string => `${sendId}.${attempt}`

/** The first line of a journal. */
export const markLine = (mark: ProcessMark): string => `${JSON.stringify(mark)}\n`

/** A line of it. */
export const lineOf = (key: string, recorded: Recorded): string =>
  `${JSON.stringify({ key, ...recorded })}\n`

/** Undefined when the first line is not there: nothing follows from such a file. A last line that was cut off is left. */
export function parseJournal(text: string): ReadJournal | undefined {
  const [first = '', ...rest] = text.split('\n')
  const mark = parsed(first) as ProcessMark | undefined
  if (typeof mark?.machine !== 'string') return undefined
  const deliveries = new Map<string, Recorded>()
  for (const line of rest) {
    const { key, ...recorded } = (parsed(line) ?? {}) as { readonly key?: string } & Recorded
    if (key !== undefined) deliveries.set(key, recorded as Recorded)
  }
  return { mark, deliveries }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
