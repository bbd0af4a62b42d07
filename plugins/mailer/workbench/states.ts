// Rows of the mailer as the workbench shows them. Pure.
import type {
  EventState,
  MailReport,
  MailState,
  RunState,
  RunStep,
  SubscriptionState,
  SuppressionState
} from '../contracts/workbench-states.ts'
import type { SubscriptionRow, SuppressionRow } from '../ledger/contact-rows.ts'
import type { EventRow } from '../ledger/event-rows.ts'
import type { FlowRunRow, RunEntry } from '../ledger/flow-rows.ts'
import type { SendRow } from '../ledger/send-row.ts'
import type { WebhookEventRow } from '../ledger/webhook-row.ts'

/** What is read of a mail: attachments may have 7 MB. */
export const MAIL_FIELDS = {
  _id: 1,
  templateSlug: 1,
  externalId: 1,
  emailAtSend: 1,
  kind: 1,
  status: 1,
  provider: 1,
  providerMessageId: 1,
  subject: 1,
  errorMessage: 1,
  exitReason: 1,
  flowRunId: 1,
  queuedAt: 1,
  sentAt: 1,
  deliveredAt: 1,
  openedAt: 1,
  firstClickAt: 1,
  bounceType: 1
} as const satisfies { readonly [field in keyof SendRow]?: 1 }

/** A mail. */
export const mailState = (send: Pick<SendRow, keyof typeof MAIL_FIELDS>): MailState => ({
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

/** What a provider reported. */
export const mailReport = (row: WebhookEventRow): MailReport => {
  const { provider, type, email, occurredAt, receivedAt, processed, details } = row
  return { provider, type, email, occurredAt, receivedAt, processed, details: { ...details } }
}

/** An entry of a run's history. */
export const runStep = ({ at, path, action, detail }: RunEntry): RunStep => ({
  at,
  path,
  action,
  details: detail
})

/** A run, with its history. */
export function runState(run: FlowRunRow): RunState {
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
    history: run.history.map(runStep)
  }
}

/** An event. */
export const eventState = ({
  _id: id,
  name,
  externalId,
  properties,
  occurredAt
}: EventRow): EventState => ({ id, name, externalId, properties, occurredAt })

/** A suppression, without the hash of its address. */
export const suppressionState = ({
  _id: id,
  emailHash: _hash,
  ...row
}: SuppressionRow): SuppressionState => ({ ...row, id })

/** A subscription, without its token and its history. */
export function subscriptionState(row: SubscriptionRow): SubscriptionState {
  const { _id, doiTokenHash: _token, history: _history, resubscribed: _again, ...state } = row
  return state
}
