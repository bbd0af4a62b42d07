// Sends a mail once more, by hand: a new mail with the same template, contact and variables.

import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { queueSends } from './queue-sends.ts'

/** What sending again came to. */
export type Resent =
  | { readonly ok: true; readonly sendId: string }
  | {
      readonly ok: false
      readonly code: 'not_found' | 'not_resendable'
      readonly message: string
    }

/** Suppressions and limits hold for it as for any mail. The same `key` is the same mail. */
export async function resend(
  context: MailerContext,
  sendId: string,
  { key, ...acting }: Acting & { readonly key: string }
): Promise<Resent> {
  const { sends } = context.collections
  const row = await sends.findOne({ _id: sendId })
  if (row === null) return { ok: false, code: 'not_found', message: 'The mail was not found.' }
  const why = refusalOf(row)
  if (why !== undefined) return { ok: false, code: 'not_resendable', message: why }
  const { externalId, emailAtSend, kind, templateSlug } = row
  const { category, providerOverride, vars, event } = row
  const dedupeKey = dedupeKeys.resend(sendId, key)
  const added = await context.withTransaction(async (session) => {
    const mail = { dedupeKey, lane: 'urgent', externalId, kind, templateSlug } as const
    const more = { emailAtSend: emailAtSend ?? undefined, category, providerOverride, vars, event }
    const by = { manualSendBy: acting.actor }
    const queued = await queueSends(context, [{ ...mail, ...defined(more), ...by }], { session })
    const again = queued.ids.get(dedupeKey) as string
    if (queued.added === 0) return again
    const resource = { collection: sends.collectionName, id: sendId }
    const after = { sendId: again }
    await audit(context, { ...acting, action: 'send.resend', resource, after }, { session })
    return again
  })
  return { ok: true, sendId: added }
}

/** Why it is not sent again; undefined when it may be. Pure. */
function refusalOf({ status, operatorMail, templateSlug }: SendRow): string | undefined {
  if (status === 'queued') return 'The mail has not left yet.'
  if (status === 'unknown') return 'It is unknown whether the mail left. Resolve it first.'
  if (operatorMail !== undefined || templateSlug === '') return 'The mail has no template.'
  return undefined
}
