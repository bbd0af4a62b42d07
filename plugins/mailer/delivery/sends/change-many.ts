// Operations on many mails that are over: failed ones are sent again, unknown ones are resolved.
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { bringBack, FAILED, UNKNOWN } from './bring-back.ts'
import { countEnded, filterOf, type SendSelection } from './select-sends.ts'
import { settleUnknowns, type UnknownVerdict } from './settle-unknowns.ts'

/** What an operation on many mails came to. */
export type ChangedMany =
  | { readonly ok: true; readonly changed: number }
  | { readonly ok: false; readonly code: 'count_mismatch'; readonly expected: number }

/** Which mails, and how many they were when they were counted. */
export interface ConfirmedSelection {
  readonly selection: SendSelection
  readonly confirmedCount: number
}

/**
 * Sends failed mails again: each row goes on, so that a contact gets no mail twice. Suppressions, gates and
 * limits hold for them as for any mail. Audited.
 */
export async function retrySends(
  context: MailerContext,
  { selection, confirmedCount }: ConfirmedSelection,
  acting: Acting
): Promise<ChangedMany> {
  const filter = await filterOf(context, selection)
  const expected = await countEnded(context, filter, FAILED)
  if (expected !== confirmedCount) return { ok: false, code: 'count_mismatch', expected }
  const changed = await bringBack(context, FAILED, { filter })
  await note(context, acting, { action: 'sends.retry', after: { selection, changed } })
  return { ok: true, changed }
}

/** Says what became of mails whose outcome is unknown; `as: 'resend'` sends them again. Audited. */
export async function resolveSends(
  context: MailerContext,
  { selection, confirmedCount, as }: ConfirmedSelection & { readonly as: UnknownVerdict },
  acting: Acting
): Promise<ChangedMany> {
  const filter = await filterOf(context, selection)
  const expected = await countEnded(context, filter, UNKNOWN)
  if (expected !== confirmedCount) return { ok: false, code: 'count_mismatch', expected }
  const changed = await settleUnknowns(context, as, { filter })
  await note(context, acting, { action: 'sends.resolve', after: { selection, as, changed } })
  return { ok: true, changed }
}

function note(
  context: MailerContext,
  acting: Acting,
  entry: { readonly action: string; readonly after: object }
): Promise<void> {
  const resource = { collection: context.collections.sends.collectionName }
  return audit(context, { ...acting, ...entry, resource })
}
