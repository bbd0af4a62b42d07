// Issues: errors that are the same, as their rollup family keeps them.
import type { RollupRow } from '@keelson/telemetry'
import type { Span } from '../buckets.ts'
import type { RegistryAnswer } from '../registry.ts'

type Dates = 'firstAt' | 'lastAt' | 'bucketAt'

/** A rollup document as JSON brings it. */
export type RollupAnswer = Omit<RollupRow, Dates> & {
  readonly firstAt: string
  readonly lastAt: string
  readonly bucketAt?: string
}

export interface Issue {
  readonly id: string
  readonly tenantId: string
  readonly fingerprint: string
  readonly type: string
  readonly message: string
  /** Since the first one, whatever the range. */
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
  /** The trace of the first one. */
  readonly firstTraceId: string | undefined
}

const FINGERPRINT = 'field:error.fingerprint'
const LABEL = 'error.fingerprint='

/** The family that groups errors by fingerprint for ever; undefined when no event declares one. */
export function issuesFamily({ registry }: RegistryAnswer): string | undefined {
  const rollups = Object.values(registry).flatMap((entry) => entry.rollups)
  return rollups.find(
    ({ by, bucket }) => by.length === 1 && by[0] === FINGERPRINT && bucket === null
  )?.as
}

export function readIssue(row: RollupAnswer): Issue {
  const [dim = ''] = row.dims
  return {
    id: row._id,
    tenantId: row.tenantId,
    fingerprint: dim.startsWith(LABEL) ? dim.slice(LABEL.length) : dim,
    type: row.firstCapture['field:error.type'] ?? '',
    message: row.firstCapture['field:error.message'] ?? '',
    count: row.count,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    firstTraceId: row.firstTraceId
  }
}

/** First seen in this range. */
export const isNew = (issue: Issue, { from }: Span): boolean => Date.parse(issue.firstAt) >= from

export const ISSUE_SORTS = ['lastAt', 'count', 'firstAt'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]

export const issueSort = (asked: string | null): IssueSort =>
  ISSUE_SORTS.find((sort) => sort === asked) ?? 'lastAt'

/** The issues that hold the words, in the order asked: the latest, the most, the newest first. */
export function arrangeIssues(
  issues: readonly Issue[],
  words: string,
  sort: IssueSort
): readonly Issue[] {
  const wanted = words.toLowerCase().split(/\s+/)
  const holds = ({ type, message, fingerprint }: Issue) => {
    const text = `${type} ${message} ${fingerprint}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
  return issues.filter(holds).sort((a, b) => {
    if (sort === 'count') return b.count - a.count
    return Date.parse(b[sort]) - Date.parse(a[sort])
  })
}
