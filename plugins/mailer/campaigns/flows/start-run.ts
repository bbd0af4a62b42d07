// Starts a run for one contact by hand, whether the flow is on or not.
import { randomUUID } from 'node:crypto'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { newRun } from './decide-entries.ts'
import { startRuns } from './event-handler.ts'

/** What was started. */
export interface StartedRun {
  readonly runId: string
  /** False when the flow runs once and the contact was in it by another start. */
  readonly isNew: boolean
}

/** Starts a run of the live version. The worker takes it from there. */
export async function startRun(
  context: MailerContext,
  flow: FlowRow,
  {
    contact,
    eventProperties = {},
    key = randomUUID()
  }: {
    readonly contact: MailContact
    readonly eventProperties?: Readonly<Record<string, unknown>>
    /** The same key is the same run. Default: a new one. */
    readonly key?: string
  }
): Promise<StartedRun> {
  const { externalId, email } = contact
  const { trigger } = flow
  const name = trigger.type === 'event' ? trigger.eventName : trigger.type
  const triggerEvent = { name, properties: eventProperties }
  const entry = { flow, externalId, email, triggerEvent, key: `by-hand:${key}` }
  const { _id: runId } = newRun(entry, context.clock.now())
  const before = await context.collections.flowRuns.findOne(
    { _id: runId },
    { projection: { triggerDedupeKey: 1 } }
  )
  if (before !== null) return { runId, isNew: before.triggerDedupeKey === entry.key }
  await startRuns(context, [entry])
  return { runId, isNew: true }
}
