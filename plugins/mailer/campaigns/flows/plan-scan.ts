// Which scan of a segment a flow is due for: of those who entered it, or at a time of its cron expression. Pure.
import { createHash } from 'node:crypto'
import type { FlowRow, TriggerScan } from '../../ledger/flow-rows.ts'
import { nextCronTime } from './cron-times.ts'

/** The part of a flow that decides. */
export type ScannedFlow = Pick<FlowRow, 'trigger' | 'enabledAt' | 'createdAt' | 'triggerScan'>

/** Times of a cron expression that are looked through for the latest; beyond that, now is the time. */
const MOST_TIMES = 1_000

/** The scan to begin or to go on with; undefined when none is due. */
export function planScan(flow: ScannedFlow, now: Date): TriggerScan | undefined {
  const { trigger, triggerScan: last } = flow
  if (trigger.type === 'event') return undefined
  const of = identityOf(flow)
  const isSame = last?.of === of
  if (isSame && !last.isDone) return last
  const number = (last?.number ?? 0) + 1
  const scan = { of, number, isDone: false, isBaseline: false } as const
  if (trigger.type === 'segment_enter') return { ...scan, isBaseline: !isSame }
  const from = (isSame ? last.at : undefined) ?? flow.enabledAt ?? flow.createdAt
  const at = latestTime(trigger.cronExpression, from, now)
  return at === undefined ? undefined : { ...scan, at }
}

/** What tells one entry of a contact from another: the same key starts no second run. */
export function entryKey({ number, at }: TriggerScan, externalId: string): string {
  return at === undefined
    ? `segment:${number}:${externalId}`
    : `cron:${at.toISOString()}:${externalId}`
}

/** Another definition, or a flow that was enabled anew, begins with those who are in the segment already. */
function identityOf({ trigger, enabledAt }: ScannedFlow): string {
  const text = JSON.stringify([trigger, enabledAt ?? null])
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

/** Of the times that passed while no worker looked, only the latest counts. */
function latestTime(expression: string, from: Date, now: Date): Date | undefined {
  let latest: Date | undefined
  let next = nextCronTime(expression, from)
  for (let seen = 0; next !== undefined && next <= now; seen++) {
    if (seen >= MOST_TIMES) return now
    latest = next
    next = nextCronTime(expression, next)
  }
  return latest
}
