// Which alerts open, change, remind and end. Pure.

import type { Condition } from '../storage/condition.ts'
import type { AlertRow } from '../storage/rows.ts'

export type AlertEvent = 'open' | 'updated' | 'reminder' | 'resolved'

/** A change of one alert. */
export interface AlertStep {
  readonly _id: string
  /** Null for `resolved`, which keeps what the alert said. */
  readonly condition: Condition | null
  /** Null: only the words change, and no message is sent. */
  readonly event: AlertEvent | null
  /** How often the alert was written before: 0 for a new one. */
  readonly revision: number
}

export interface PlanOptions {
  readonly now: Date
  /** 0: no reminders. */
  readonly realertAfterHours: number
}

const HOUR_MS = 3_600_000

/** The same kind, domain and subject is the same alert. */
export const alertId = ({
  kind,
  domain,
  subject
}: Pick<Condition, 'kind' | 'domain' | 'subject'>) => `${kind}|${domain}|${subject}`

/** The steps from the stored alerts to the conditions of now. */
export function planAlerts(
  stored: readonly AlertRow[],
  conditions: readonly Condition[],
  options: PlanOptions
): readonly AlertStep[] {
  const rows = new Map(stored.map((row) => [row._id, row]))
  const present = new Set(conditions.map(alertId))
  const steps = conditions.flatMap((condition): AlertStep[] => {
    const _id = alertId(condition)
    const row = rows.get(_id)
    const event = eventOf(row, condition, options)
    const hasWords = row?.said !== undefined || condition.said === undefined
    const isSame = event === null && hasWords && row?.message === condition.message
    return isSame ? [] : [{ _id, condition, event, revision: row?.revision ?? 0 }]
  })
  const ended = stored.filter(({ _id, state }) => state === 'open' && !present.has(_id))
  return [
    ...steps,
    ...ended.map(
      ({ _id, revision }): AlertStep => ({ _id, condition: null, event: 'resolved', revision })
    )
  ]
}

function eventOf(
  row: AlertRow | undefined,
  { key }: Condition,
  { now, realertAfterHours }: PlanOptions
): AlertEvent | null {
  if (row === undefined || row.state === 'resolved') return 'open'
  if (row.key !== key) return 'updated'
  const isDue = now.getTime() - row.firedAt.getTime() >= realertAfterHours * HOUR_MS
  return realertAfterHours > 0 && isDue ? 'reminder' : null
}
