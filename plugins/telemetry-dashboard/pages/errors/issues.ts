// Issues: errors that are the same, as the API lists or counts them.

import type { IssuesResult, Issue as StoredIssue } from '@keelson/telemetry'
import type { AsJson, Span } from '@keelson/ui'

/** An issue as JSON brings it, with an id for lists. */
export type Issue = AsJson<StoredIssue> & { readonly id: string }

/** The answer of `/api/issues`, before its issues have ids. */
export type IssuesAnswer = AsJson<IssuesResult>

export interface Issues extends Omit<IssuesAnswer, 'issues'> {
  readonly issues: readonly Issue[]
}

/** Fingerprints are a tenant's own. */
export const issueId = (tenantId: string, fingerprint: string): string =>
  `${tenantId} ${fingerprint}`

export const readIssues = (answer: IssuesAnswer): Issues => ({
  ...answer,
  issues: answer.issues.map((issue) => ({
    ...issue,
    id: issueId(issue.tenantId, issue.fingerprint)
  }))
})

/** Issues as rollups list them, each with what was counted of it in the range. */
export function withCounts(listed: readonly Issue[], counted: readonly Issue[]): readonly Issue[] {
  const counts = new Map(counted.map((issue) => [issue.id, issue]))
  return listed.map((issue) => {
    const { count, people = null, buckets } = counts.get(issue.id) ?? {}
    return count === undefined ? issue : { ...issue, count, people, ...(buckets && { buckets }) }
  })
}

/** First seen in this range. */
export const isNew = (issue: Issue, { from }: Span): boolean => Date.parse(issue.firstAt) >= from

export const ISSUE_SORTS = ['lastAt', 'count', 'people', 'total', 'firstAt'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]

export const issueSort = (asked: string | null): IssueSort =>
  ISSUE_SORTS.find((sort) => sort === asked) ?? 'lastAt'

/** The issues in the order asked: the latest, the most, the newest first. */
export function sortIssues(issues: readonly Issue[], sort: IssueSort): readonly Issue[] {
  const rank = (issue: Issue): number =>
    sort === 'lastAt' || sort === 'firstAt' ? Date.parse(issue[sort]) : (issue[sort] ?? 0)
  return issues.toSorted((a, b) => rank(b) - rank(a))
}

/** An issue as a line of a file. */
export const issueCells = ({ id: _id, buckets: _buckets, ...issue }: Issue) => issue
