// Failing sources with what each reporter may add to them, as it counts for their domain. Pure.
import { type FailingSource, failingSource } from '../sources/source-sums.ts'
import type { SourceRow } from '../storage/rows.ts'
import { type BoundReporter, countedPart } from './bound-reporters.ts'

/** What of a source counts, and who reported it. */
export interface BoundSource extends FailingSource {
  /** Those who report most of it, the largest first. */
  readonly reporters: readonly BoundReporter[]
}

const SHOWN_REPORTERS = 3

/** The reporters of a domain by name. */
type BoundsOf = (domain: string) => ReadonlyMap<string, BoundReporter> | undefined

/** Those with most messages that count first. What is known without its reporter counts whole. */
export function boundSources(
  rows: readonly SourceRow[],
  boundsOf: BoundsOf
): readonly BoundSource[] {
  return rows
    .map((row) => boundSource(row, boundsOf(row.domain)))
    .sort((a, b) => b.totalMessages - a.totalMessages)
}

function boundSource(
  row: SourceRow,
  bounds: ReadonlyMap<string, BoundReporter> | undefined
): BoundSource {
  const reporters = (row.reporters ?? []).map(({ orgName, messages }): BoundReporter => {
    const bound = bounds?.get(orgName)
    return { orgName, messages, counted: bound ? countedPart(messages, bound) : messages }
  })
  const over = reporters.reduce((sum, { messages, counted }) => sum + messages - counted, 0)
  const source = failingSource(row)
  return {
    ...source,
    totalMessages: source.totalMessages - over,
    reporters: reporters.slice(0, SHOWN_REPORTERS)
  }
}
