// Rows of the mailer as the agent API shows them. Pure.
import type { EventRow, FlowRunRow, SendRow, SuppressionRow } from '@keelson/mailer'
import type { Sendable, Static } from '@keelson/sdk'
import type { runSchema, sendSchema } from './shapes.ts'

/** A send, with null for what is not known yet. */
export const sendSummary = (send: SendRow): Sendable<Static<typeof sendSchema>> => ({
  id: send._id,
  templateSlug: send.templateSlug,
  externalId: send.externalId,
  email: send.emailAtSend,
  kind: send.kind,
  status: send.status,
  provider: send.provider ?? null,
  providerMessageId: send.providerMessageId ?? null,
  subject: send.subject ?? null,
  errorMessage: send.errorMessage ?? null,
  exitReason: send.exitReason ?? null,
  flowRunId: send.flowRunId ?? null,
  queuedAt: send.queuedAt,
  sentAt: send.sentAt ?? null,
  deliveredAt: send.deliveredAt ?? null,
  openedAt: send.openedAt ?? null,
  firstClickAt: send.firstClickAt ?? null,
  bounceType: send.bounceType ?? null
})

/** An entry of a run's history. */
export const historyEntry = ({ detail: details, ...entry }: FlowRunRow['history'][number]) => ({
  ...entry,
  details
})

/** A run, with its history. */
export function runSummary(run: FlowRunRow): Sendable<Static<typeof runSchema>> {
  const [index = '0', ...branch] = run.path.split('.')
  return {
    id: run._id,
    flowSlug: run.flowSlug,
    flowVersion: run.flowVersion,
    externalId: run.externalId,
    email: run.emailAtEntry,
    status: run.status,
    currentStepIndex: Number(index),
    currentBranchPath: branch.join('.'),
    nextActionAt: run.nextActionAt ?? null,
    enteredAt: run.enteredAt,
    exitedAt: run.exitedAt ?? null,
    exitReason: run.exitReason ?? null,
    triggerEvent: run.triggerEvent,
    history: run.history.map(historyEntry)
  }
}

/** A row whose readers know it by `id`. */
export const withId = <T extends EventRow | SuppressionRow>({ _id: id, ...row }: T) => ({
  ...row,
  id
})
