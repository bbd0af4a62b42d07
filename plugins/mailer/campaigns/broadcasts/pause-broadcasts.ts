// Pauses broadcasts, and resumes what one name paused.
import type { BroadcastPause } from '../../contracts/mailer-core.ts'
import { domainOf } from '../../ledger/address.ts'
import type { BroadcastRow, PauseCode, PauseReason } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { noteStop } from '../note-stop.ts'
import {
  type Actor,
  type BroadcastKey,
  type Change,
  type Changed,
  changeBroadcast,
  MAILER,
  type Refusal
} from './change-broadcast.ts'
import { holdMails, releaseMails } from './hold-mails.ts'
import { holdsMails, withoutPauses, withPause } from './plan-pauses.ts'

/** A pause as it is asked for. */
export interface NewPause {
  readonly code: PauseCode
  readonly by: string
  /** As `SendHold.error`. */
  readonly cause?: string
  readonly message: string
}

/** Pauses one broadcast and holds its waiting mails. Pausing again for the same cause is refused. */
export async function pauseBroadcast(
  context: MailerContext,
  key: BroadcastKey,
  pause: NewPause,
  by: Actor = MAILER
): Promise<Changed<Refusal<'not_pausable'>>> {
  const reason: PauseReason = { ...pause, at: context.clock.now() }
  const result = await changeBroadcast(
    context,
    key,
    by,
    (broadcast): Change | Refusal<'not_pausable'> => {
      const fields = withPause(broadcast, reason)
      if (fields === undefined) return { ok: false, code: 'not_pausable' }
      return { ok: true, action: 'broadcast.pause', fields }
    }
  )
  if (!result.ok || !holdsMails(result.broadcast)) return result
  await noteStop(context)
  await holdMails(context, result.broadcast._id)
  return result
}

/** Pauses a broadcast for a person. */
export function pauseByHand(
  context: MailerContext,
  slug: string,
  by: Actor,
  message = 'Paused by hand.'
): Promise<Changed<Refusal<'not_pausable'>>> {
  return pauseBroadcast(context, { slug }, { code: 'manual', by: by.actor, message }, by)
}

/** Pauses sending and scheduled broadcasts; their waiting mails are held. See `MailerCore`. */
export async function pauseBroadcasts(
  context: MailerContext,
  { senderDomain, ...why }: BroadcastPause
): Promise<{ readonly paused: number }> {
  // For mails of flows, too: the gate that asks for the pause holds them.
  await noteStop(context)
  const active = await withStatus(context, ['scheduled', 'sending', 'paused'])
  const concerned =
    senderDomain === undefined ? active : await fromDomain(context, active, senderDomain)
  let paused = 0
  for (const { _id } of concerned) {
    const pause = { code: 'gate', ...why } as const
    const result = await pauseBroadcast(context, { _id }, pause, { actor: `system:${why.by}` })
    if (result.ok) paused += 1
  }
  return { paused }
}

/** Takes back what was paused under a name; a broadcast goes on when nothing else pauses it. */
export async function resumeBroadcasts(
  context: MailerContext,
  by: string
): Promise<{ readonly resumed: number }> {
  let resumed = 0
  for (const { _id, pauses = [] } of await withStatus(context, ['paused'])) {
    if (!pauses.some((pause) => isOf(pause, by))) continue
    const who = { actor: `system:${by}` }
    const result = await changeBroadcast(context, { _id }, who, (broadcast) => {
      const fields = withoutPauses(broadcast, (pause) => isOf(pause, by))
      if (fields === undefined) return { ok: false, code: 'not_paused' }
      return { ok: true, action: 'broadcast.resume', fields }
    })
    if (!result.ok || holdsMails(result.broadcast)) continue
    await releaseMails(context, _id)
    if (result.broadcast.status !== 'paused') resumed += 1
  }
  return { resumed }
}

/** Paused broadcasts that nothing but this name pauses. */
export async function pausedBy(context: MailerContext, by: string): Promise<BroadcastRow[]> {
  const paused = await withStatus(context, ['paused'])
  return paused.filter(
    ({ pauses = [] }) => pauses.length > 0 && pauses.every((pause) => isOf(pause, by))
  )
}

const isOf = ({ code, by }: PauseReason, name: string): boolean => code === 'gate' && by === name

function withStatus(
  { collections }: MailerContext,
  statuses: readonly BroadcastRow['status'][]
): Promise<BroadcastRow[]> {
  return collections.broadcasts.find({ status: { $in: [...statuses] } }).toArray()
}

async function fromDomain(
  { templates, config }: MailerContext,
  broadcasts: readonly BroadcastRow[],
  senderDomain: string
): Promise<readonly BroadcastRow[]> {
  const slugs = new Set(broadcasts.flatMap(templatesOf))
  const published = await templates.load([...slugs])
  const wanted = senderDomain.toLowerCase()
  const isFrom = (slug: string): boolean => {
    const email = published.get(slug)?.fromEmail || config.fromDefaults?.email
    return email !== undefined && domainOf(email) === wanted
  }
  return broadcasts.filter((broadcast) => templatesOf(broadcast).some(isFrom))
}

/** The templates that its mails are made from. */
export function templatesOf({
  templateSlug,
  splitTest
}: Pick<BroadcastRow, 'templateSlug' | 'splitTest'>): readonly string[] {
  return [...new Set(splitTest?.variants.map((one) => one.templateSlug) ?? [templateSlug])]
}
