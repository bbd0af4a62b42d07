// The steps of a contact's consent: appended to its subscription, and never changed afterwards. Pure.
import type { ConsentStep, SubscriptionRow } from '../../ledger/contact-rows.ts'

/** The newest are kept: a contact may turn a category on and off without end. */
export const MOST_STEPS = 200

/** The update that appends steps. */
export const appendSteps = (steps: readonly ConsentStep[]) => ({
  $push: { history: { $each: [...steps], $slice: -MOST_STEPS } }
})

const FIELDS = [
  ['subscribedAt', 'subscribed'],
  ['doiRequestedAt', 'asked'],
  ['doiConfirmedAt', 'confirmed'],
  ['unsubscribedAt', 'unsubscribed']
] as const

type Kept = Pick<
  SubscriptionRow,
  (typeof FIELDS)[number][0] | 'history' | 'source' | 'unsubscribeReason'
>

/** Steps that only the fields of a subscription say: those of rows from before there was a history. */
export function unkeptSteps(row: Kept): readonly ConsentStep[] {
  const { history = [] } = row
  return FIELDS.flatMap(([field, what]): ConsentStep[] => {
    const at = row[field]
    if (at === undefined) return []
    if (history.some((step) => step.what === what && step.at.getTime() === at.getTime())) return []
    // The source of the row may be that of a later step.
    const source = what === 'subscribed' && history.length === 0 ? { source: row.source } : {}
    const reason = what === 'unsubscribed' ? row.unsubscribeReason : undefined
    return [{ at, what, ...source, ...(reason !== undefined && { reason }) }]
  })
}

/** All steps that are known of a contact, oldest first. */
export const consentSteps = (row: Kept | null): readonly ConsentStep[] =>
  row === null
    ? []
    : [...unkeptSteps(row), ...(row.history ?? [])].sort(
        (left, right) => left.at.getTime() - right.at.getTime()
      )

const CATEGORY = 'category:'

/** The category of a stored scope; undefined for the other scopes. */
export const categoryOf = (scope: string): string | undefined =>
  scope.startsWith(CATEGORY) ? scope.slice(CATEGORY.length) : undefined
