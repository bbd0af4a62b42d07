// The two states of the indexes of rows: all that reads of documents need, or the few that remain where columns serve
// the reads. Which of the two, and which reads the few still serve.
import type { Document } from 'mongodb'
import type { TelemetryLogger } from '../logger.ts'

/** Rows that a read of documents may look through without an index for its filter: some tenths of a second. */
export const MOST_SCANNED = 5000

export interface HotPart {
  /** Records are sealed, and DuckDB is there. */
  readonly isSealing: boolean
  readonly rows: number
  /** Rows that may be mirrored. */
  readonly mirrorRows: number
}

/** Whether the mirror serves the reads of all rows that are documents, so that they need fewer indexes. Pure. */
export const areFewEnough = ({ isSealing, rows, mirrorRows }: HotPart): boolean =>
  isSealing && mirrorRows > 0 && rows <= mirrorRows

/** How rows are asked for. */
export type Reading = 'page' | 'groups'

/** Terms that a page in order of time needs no index for but that of the order. */
const OF_A_PAGE: ReadonlySet<string> = new Set(['tenantId', 'occurredAt', '_id', '$or'])

/** Whether one of the few indexes serves a filter. Pure. */
export function isServedByFew(filter: Document, reading: Reading): boolean {
  const { tenantId, traceId, subjectKeys, otherPrincipals } = filter
  if (traceId !== undefined) return true
  if (tenantId !== undefined && (subjectKeys ?? otherPrincipals) !== undefined) return true
  return reading === 'page' && Object.keys(filter).every((term) => OF_A_PAGE.has(term))
}

const COUNTED_FOR_MS = 10_000

/** Makes the indexes be the few, or all. */
export type ApplyIndexes = (areFew: boolean) => Promise<void>

export interface FewIndexes {
  /** Whether the indexes that only reads of documents need are gone. */
  readonly areFew: boolean
  /**
   * Decides between the two states and has `apply` make it so: reads turn to columns before indexes go, and to
   * documents when these are there again. When rows become too many later, `apply` is called for all.
   */
  choose(apply: ApplyIndexes): Promise<void>
  /** Whether documents answer a filter without looking through many. */
  serve(filter: Document, reading: Reading): Promise<boolean>
}

export interface FewIndexesOptions extends Pick<HotPart, 'isSealing' | 'mirrorRows'> {
  /** About how many rows are documents. */
  readonly count: () => Promise<number>
  readonly logger: TelemetryLogger
  /** Milliseconds that only go forward. Default: those of the process. */
  readonly elapsed?: () => number
}

/** In the state of all indexes. */
export function createFewIndexes(options: FewIndexesOptions): FewIndexes {
  const { count, logger, elapsed = () => performance.now(), ...fixed } = options
  let areFew = false
  let apply: ApplyIndexes | undefined
  let isBuilding = false
  let known = { rows: 0, at: Number.NEGATIVE_INFINITY }
  const buildAll = async (rows: number): Promise<void> => {
    isBuilding = true
    logger.warn({ rows }, TOO_MANY)
    try {
      await apply?.(false)
      areFew = false
    } catch (err) {
      logger.error({ err }, 'The indexes that reads of documents need could not be built.')
    }
  }
  return {
    get areFew() {
      return areFew
    },
    async choose(given) {
      apply = given
      const next = areFewEnough({ ...fixed, rows: await count() })
      if (next) areFew = true
      await apply(next)
      areFew = next
    },
    async serve(filter, reading) {
      if (!areFew || isServedByFew(filter, reading)) return true
      if (elapsed() - known.at > COUNTED_FOR_MS) known = { rows: await count(), at: elapsed() }
      if (known.rows > fixed.mirrorRows && !isBuilding) void buildAll(known.rows)
      return known.rows <= MOST_SCANNED
    }
  }
}

const TOO_MANY =
  'More records are not sealed than history.mirrorRows allows: the indexes that reads of documents need are built again.'
