// Calls the address of a webhook step.
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import { dedupeKeys } from '../../../ledger/send-id.ts'
import type { StepOf } from '../interpret/run-state.ts'

/** How a call came out. */
export type CallResult =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly reason: string }

const TIMEOUT_MS = 10_000
const MAX_REASON = 200

/**
 * Calls it; never throws. The address is as its author wrote it, never filled in, and must be public. A crash
 * may call it twice: `Idempotency-Key` is the same then.
 */
export async function callWebhook(
  { fetchPublic }: MailerContext,
  run: FlowRunRow,
  path: string,
  { url, method = 'POST', payload = {} }: StepOf<'webhook'>
): Promise<CallResult> {
  const { flowSlug, _id: runId, externalId, triggerEvent: event } = run
  const body = { flow: flowSlug, run: runId, externalId, event, payload }
  try {
    const response = await fetchPublic(url, {
      method,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': dedupeKeys.flowStep(runId, path)
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    await response.body?.cancel()
    const { ok, status } = response
    return ok ? { ok, status } : { ok: false, reason: `it answered ${status}` }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown }
  const message = cause instanceof Error ? cause.message : String((error as Error).message ?? error)
  return message.slice(0, MAX_REASON)
}
