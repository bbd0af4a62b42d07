// Campaigns of other plugins: what these say about their mails, each asked within its time.
import { type ItemResult, type Owner, within } from '@keelson/sdk'
import type { CampaignSend, CampaignSource } from '../contracts/mailer-campaigns.ts'
import type { NamedHold } from '../delivery/sends/ask-gates.ts'
import { settleStop, settleUnready } from '../delivery/sends/settle-send.ts'
import type { MailerContext } from '../ledger/context.ts'
import { groupedBy } from '../ledger/grouped-by.ts'
import type { SendRow } from '../ledger/send-row.ts'
import { messageOf } from '../ledger/send-update.ts'
import { holdOf, ownerProblem } from './owner-hold.ts'

const TIMEOUT_MS = 30_000

type Foreign = SendRow & Required<Pick<SendRow, 'campaign'>>

const isForeign = (send: SendRow): send is Foreign => send.campaign !== undefined

/** Mails by the kind of their campaign, with what answers for the kind; undefined when no plugin does. */
function byKind({ extensions }: MailerContext, sends: readonly SendRow[]) {
  const sources = new Map(extensions.campaigns().map((source) => [source.kind, source]))
  return [...groupedBy(sends.filter(isForeign), ({ campaign }) => campaign.kind)].map(
    ([kind, mails]) => ({ kind, mails, source: sources.get(kind) })
  )
}

/** Results of the mails that do not leave now, by send. Other mails have none. */
export async function foreignStops(
  context: MailerContext,
  sends: readonly SendRow[]
): Promise<ReadonlyMap<string, ItemResult>> {
  // A provider may have one that was in hand-over before: it goes its way.
  const own = sends.filter(({ handoff }) => handoff !== 'sending' && handoff !== 'unknown')
  const results = new Map<string, ItemResult>()
  for (const { mails, source } of byKind(context, own)) {
    if (source?.stops === undefined) continue
    for (const [id, result] of await stopsOf(context, source, mails)) results.set(id, result)
  }
  return results
}

async function stopsOf(
  { clock, log }: MailerContext,
  source: CampaignSource,
  mails: readonly Foreign[]
): Promise<ReadonlyMap<string, ItemResult>> {
  const now = clock.now()
  try {
    const stops = await inTime((signal) => source.stops?.(mails.map(sendOf), { now, signal }))
    return new Map(
      mails.flatMap(({ _id }) => {
        const stop = stops?.get(_id)
        if (stop === undefined) return []
        return [[_id, settleStop({ handoff: 'cancelled', ...stop }, now)] as const]
      })
    )
  } catch (error) {
    log.warn({ err: error, kind: source.kind }, 'mailer: mails wait, their campaigns do not answer')
    return new Map(mails.map((send) => [send._id, settleUnready(send, error, now)]))
  }
}

const sendOf = ({ _id, externalId, kind, templateSlug, campaign }: Foreign): CampaignSend => ({
  sendId: _id,
  externalId,
  kind,
  templateSlug,
  campaign
})

/** The hold of each mail whose campaign may not send now, by id of the send. */
export async function foreignHolds(
  context: MailerContext,
  sends: readonly SendRow[]
): Promise<ReadonlyMap<string, NamedHold>> {
  const holds = new Map<string, NamedHold>()
  for (const { kind, mails, source } of byKind(context, sends)) {
    const slugs = [...new Set(mails.map(({ campaign }) => campaign.slug))]
    const problems =
      source === undefined
        ? allHeld(slugs, unanswered(kind, 'No enabled plugin answers for it.'))
        : await problemsOf(context, source, slugs)
    for (const { _id, campaign } of mails) {
      const hold = problems.get(campaign.slug)
      if (hold !== undefined) holds.set(_id, hold)
    }
  }
  return holds
}

/** Why mails of a campaign are held because of its owner; undefined when they are not, or the kind is unknown. */
export async function foreignOwnerProblem(
  context: MailerContext,
  { kind, slug }: { readonly kind: string; readonly slug: string }
): Promise<string | undefined> {
  const source = context.extensions.campaigns().find((one) => one.kind === kind)
  if (source === undefined) return undefined
  return (await problemsOf(context, source, [slug])).get(slug)?.message
}

async function problemsOf(
  context: MailerContext,
  source: CampaignSource,
  slugs: readonly string[]
): Promise<ReadonlyMap<string, NamedHold>> {
  const { kind } = source
  let owners: ReadonlyMap<string, Owner | null>
  try {
    owners = await inTime(() => source.owners(slugs))
  } catch (error) {
    context.log.warn({ err: error, kind }, 'mailer: owners of campaigns cannot be read')
    return allHeld(slugs, unanswered(kind, `Its owner cannot be read: ${messageOf(error)}`))
  }
  const holds = new Map<string, NamedHold>()
  for (const slug of slugs) {
    const owner = owners.get(slug)
    if (owner === undefined) holds.set(slug, unanswered(kind, 'Its plugin does not know it.'))
    else {
      const problem = await ownerProblem(context, source, { slug, owner })
      if (problem !== undefined) holds.set(slug, holdOf(problem))
    }
  }
  return holds
}

const allHeld = (slugs: readonly string[], hold: NamedHold): ReadonlyMap<string, NamedHold> =>
  new Map(slugs.map((slug) => [slug, hold]))

const unanswered = (kind: string, why: string): NamedHold => ({
  gate: 'campaign',
  error: 'campaign_unanswered',
  message: `The mail belongs to a ${kind}. ${why}`
})

async function inTime<T>(ask: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const controller = new AbortController()
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  try {
    return await within(ask(controller.signal), { deadline: { ms: TIMEOUT_MS, overdue } })
  } finally {
    controller.abort()
  }
}
