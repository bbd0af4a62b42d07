// Takes a suppression away by hand: never an erasure, a bounce or complaint only for a stated reason.
import { audit } from '../../ledger/audit/audit.ts'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { FIRST_STRONG, strengthOf } from './suppression-rules.ts'

/** What taking a suppression away came to. */
export type RemovedSuppression =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'not_found' | 'reason_required' | 'not_removable'
      readonly message: string
    }

/** Audited with the row as it was. `reason`: why mail may go there again. */
export async function removeSuppression(
  context: MailerContext,
  id: string,
  { reason, ...acting }: Acting & { readonly reason?: string }
): Promise<RemovedSuppression> {
  const { suppressions } = context.collections
  return context.withTransaction(async (session) => {
    const row = await suppressions.findOne({ _id: id }, { session })
    const refusal = refusalOf(row, reason)
    if (refusal !== undefined || row === null) return refusal ?? NOT_FOUND
    await suppressions.deleteOne({ _id: id }, { session })
    const { _id, emailHash: _hash, ...before } = row
    const resource = { collection: suppressions.collectionName, id: _id }
    const entry = { ...acting, action: 'suppression.remove', resource, before }
    await audit(context, { ...entry, after: defined({ reason }) }, { session })
    return { ok: true }
  })
}

const NOT_FOUND: RemovedSuppression = {
  ok: false,
  code: 'not_found',
  message: 'The suppression was not found.'
}

/** Why it stays; undefined when it may go. Pure. */
function refusalOf(
  row: Pick<SuppressionRow, 'reason'> | null,
  reason: string | undefined
): RemovedSuppression | undefined {
  if (row === null) return NOT_FOUND
  if (row.reason === 'gdpr_forget') {
    const message = 'An erased contact stays blocked.'
    return { ok: false, code: 'not_removable', message }
  }
  if (strengthOf(row.reason) < strengthOf(FIRST_STRONG) || reason !== undefined) return undefined
  const message = `Say in reason why an address with a ${row.reason.replace('_', ' ')} may get mail again.`
  return { ok: false, code: 'reason_required', message }
}
