// An operator says what became of one mail whose outcome is unknown.
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { settleUnknowns, type UnknownVerdict } from './settle-unknowns.ts'

/** What became of an operator's verdict. */
export type Resolution =
  | { readonly ok: true; readonly status: SendRow['status'] }
  | { readonly ok: false; readonly code: 'not_found' | 'not_unknown' }

/** Resolves a mail by hand; audited. `resend` sends it again although the provider may have it. */
export async function resolveUnknown(
  context: MailerContext,
  sendId: string,
  verdict: UnknownVerdict,
  acting: Acting
): Promise<Resolution> {
  const { collections } = context
  const before = await collections.sends.findOne({ _id: sendId }, { projection: { status: 1 } })
  if (before === null) return { ok: false, code: 'not_found' }
  const moved = await settleUnknowns(context, verdict, { filter: { _id: sendId } })
  if (moved === 0) return { ok: false, code: 'not_unknown' }
  const resource = { collection: collections.sends.collectionName, id: sendId }
  const after = await collections.sends.findOne({ _id: sendId }, { projection: { status: 1 } })
  const status = after?.status ?? before.status
  await audit(context, {
    ...acting,
    action: 'send.resolve',
    resource,
    before: { status: before.status },
    after: { status, verdict }
  })
  return { ok: true, status }
}
