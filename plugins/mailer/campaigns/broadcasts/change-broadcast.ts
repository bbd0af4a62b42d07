// Changes a broadcast as a pure function decides, and writes the audit row in the same transaction.
import { audit } from '../../ledger/audit/audit.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Acting } from '../../ledger/template-input.ts'

/** Who acts. */
export type Actor = Acting

/** The mailer itself, in the audit log. */
export const MAILER: Actor = { actor: 'system:mailer' }

/** A refusal of an operation. `code` is stable. */
export interface Refusal<Code extends string = string> {
  readonly ok: false
  readonly code: Code
}

/** What an operation on one broadcast answers. */
export type Changed<R extends Refusal = Refusal> =
  | { readonly ok: true; readonly broadcast: BroadcastRow; readonly revision: number }
  | R
  | Refusal<'not_found'>
  | DraftConflict

/** Another editor changed the broadcast since this one read it. */
export interface DraftConflict extends Refusal<'draft_conflict'> {
  readonly message: string
}

type Fields = { readonly [name in keyof BroadcastRow]?: BroadcastRow[name] | undefined }

/** What is to be written. A field that is undefined is removed. */
export interface Change {
  readonly ok: true
  /** As `broadcast.pause`. */
  readonly action: string
  readonly fields: Fields
}

/** Who acts. `ifRevision`: only when the broadcast has this revision. */
export interface Editing extends Actor {
  readonly ifRevision?: number
}

/** One broadcast, by id or by slug. */
export type BroadcastKey = { readonly _id: string } | { readonly slug: string }

/**
 * Reads a broadcast, decides, writes and audits, in one transaction. `decide` may be called again when another
 * process changes the broadcast at the same time.
 */
export function changeBroadcast<R extends Refusal>(
  context: MailerContext,
  key: BroadcastKey,
  { ifRevision, ...by }: Editing,
  decide: (broadcast: BroadcastRow) => Change | R
): Promise<Changed<R>> {
  return context.withTransaction(async (session): Promise<Changed<R>> => {
    const { broadcasts } = context.collections
    const before = await broadcasts.findOne(key, { session })
    if (before === null) return { ok: false, code: 'not_found' }
    const { revision: known = 0 } = before
    if (ifRevision !== undefined && ifRevision !== known) return draftConflict(before)
    const revision = known + 1
    const decision = decide(before)
    if (!decision.ok) return decision
    const { action, fields } = decision
    const after = changed(before, { ...fields, revision, updatedAt: context.clock.now() })
    await broadcasts.replaceOne({ _id: before._id }, after, { session })
    const { _id: id, slug } = after
    const resource = { collection: broadcasts.collectionName, id, slug }
    const names = Object.keys(fields) as (keyof BroadcastRow)[]
    const entry = { action, resource, before: picked(before, names), after: picked(after, names) }
    await audit(context, { ...by, ...entry }, { session })
    return { ok: true, broadcast: after, revision }
  })
}

const draftConflict = ({ slug }: BroadcastRow): DraftConflict => ({
  ok: false,
  code: 'draft_conflict',
  message: `Another editor changed the broadcast ${slug} since you opened it. Read it again.`
})

function changed(row: BroadcastRow, fields: Fields): BroadcastRow {
  const entries = Object.entries({ ...row, ...fields }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as BroadcastRow
}

function picked(row: BroadcastRow, names: readonly (keyof BroadcastRow)[]): object {
  return Object.fromEntries(
    names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]]))
  )
}
