// The pause of all marketing mail: put and ended by people, kept to by the hand-off.
import { Type } from '@keelson/sdk'
import { holdOfPause } from '../delivery/sends/hold-of-pause.ts'
import { audit } from '../ledger/audit/audit.ts'
import { checkedInput } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { type MarketingPause, PAUSE_ROW } from '../ledger/state-row.ts'
import type { Acting } from '../ledger/template-input.ts'
import { pauseBroadcasts, resumeBroadcasts } from './broadcasts/pause-broadcasts.ts'

/** Why a pause is put. */
export const newPauseSchema = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false }
)

/** What putting or ending a pause came to. */
export type PauseChanged<Code extends 'already_paused' | 'not_paused'> =
  | { readonly ok: true; readonly pause: MarketingPause | null }
  | { readonly ok: false; readonly code: Code; readonly message: string }

/** The pause; null while marketing mail leaves. */
export async function readPause({
  collections
}: Pick<MailerContext, 'collections'>): Promise<MarketingPause | null> {
  return (await collections.state.findOne({ _id: PAUSE_ROW }))?.pause ?? null
}

/**
 * Holds all marketing mail from the next batch on, and pauses broadcasts. Transactional mail leaves.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function pauseMarketing(
  context: MailerContext,
  input: unknown,
  acting: Acting
): Promise<PauseChanged<'already_paused'>> {
  const { reason } = checkedInput('pauseMarketing', newPauseSchema, input)
  const { state } = context.collections
  const pause = { reason, by: acting.actor, at: context.clock.now() }
  const isPut = await context.withTransaction(async (session) => {
    if ((await state.findOne({ _id: PAUSE_ROW }, { session })) !== null) return false
    await state.insertOne({ _id: PAUSE_ROW, pause }, { session })
    const entry = { ...acting, action: 'marketing.pause', resource: resourceOf(context) }
    await audit(context, { ...entry, before: null, after: pause }, { session })
    return true
  })
  if (!isPut) return refused('already_paused', 'All marketing mail is paused already.')
  const { gate: by, error: cause, message } = holdOfPause(pause)
  await pauseBroadcasts(context, { by, cause, message })
  return { ok: true, pause }
}

/** Lets marketing mail go again: held mails leave within a minute. Broadcasts that others paused stay so. */
export async function resumeMarketing(
  context: MailerContext,
  acting: Acting
): Promise<PauseChanged<'not_paused'>> {
  const { state } = context.collections
  const isEnded = await context.withTransaction(async (session) => {
    const row = await state.findOneAndDelete({ _id: PAUSE_ROW }, { session })
    if (row === null) return false
    const entry = { ...acting, action: 'marketing.resume', resource: resourceOf(context) }
    await audit(context, { ...entry, before: row.pause, after: null }, { session })
    return true
  })
  if (!isEnded) return refused('not_paused', 'Marketing mail is not paused.')
  await resumeBroadcasts(context, PAUSE_ROW)
  return { ok: true, pause: null }
}

/** For the tick: what a process that died, or a batch that was under way, left paused goes on. */
export async function resumeLeftBroadcasts(context: MailerContext): Promise<void> {
  if ((await readPause(context)) === null) await resumeBroadcasts(context, PAUSE_ROW)
}

const resourceOf = ({ collections }: MailerContext) => ({
  collection: collections.state.collectionName,
  id: PAUSE_ROW
})

const refused = <Code extends 'already_paused' | 'not_paused'>(code: Code, message: string) =>
  ({ ok: false, code, message }) as const
