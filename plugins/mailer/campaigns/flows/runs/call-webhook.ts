// Calls the address of a webhook step.
import type { Notified } from '@keelson/sdk'
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import { dedupeKeys } from '../../../ledger/send-id.ts'
import type { StepOf } from '../interpret/run-state.ts'

/**
 * Calls it once; never throws. The address is as its author wrote it, never filled in, and must be public. A crash
 * may call it twice: its id is the same then.
 */
export function callWebhook(
  { notify, config: { webhookSecret: secret } }: MailerContext,
  run: FlowRunRow,
  path: string,
  { url, method = 'POST', payload = {} }: StepOf<'webhook'>
): Promise<Notified> {
  const { flowSlug, _id: runId, externalId, triggerEvent: event } = run
  const body = { flow: flowSlug, run: runId, externalId, event, payload }
  return notify({ id: dedupeKeys.flowStep(runId, path), webhook: { url, method, secret, body } })
}
