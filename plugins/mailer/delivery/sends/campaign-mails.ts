// Mails of campaigns that other plugins run: queued with fixed ids, looked up, cancelled.
import { closed, Type } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import type {
  CampaignMail,
  CampaignMailState,
  CampaignMails,
  QueuedMails
} from '../../contracts/mailer-campaign-mail.ts'
import { errors } from '../../errors.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { inChunks } from '../../ledger/in-chunks.ts'
import type { PreparedTemplate } from '../../ledger/prepared-template.ts'
import { dedupeKeys, isSendId } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { cancelSends } from './cancel-sends.ts'
import { variables } from './one-off.ts'
import { type NewSend, queueSends } from './queue-sends.ts'

const MOST_MAILS = 10_000
const kind = Type.String({ minLength: 1, maxLength: 32 })
const sendId = Type.Refine(Type.String(), isSendId, () => 'must be an id that mailId gave')
const campaign = Type.Object(
  {
    kind,
    slug: inputs.slug,
    ref: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 256 }), {
        maxProperties: 8
      })
    )
  },
  closed
)
const mailsSchema = Type.Array(
  Type.Object(
    {
      campaign,
      key: Type.String({ minLength: 1, maxLength: 400 }),
      id: Type.Optional(sendId),
      templateSlug: inputs.slug,
      externalId: inputs.externalId,
      vars: Type.Optional(variables),
      providerOverride: Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))
    },
    closed
  ),
  { maxItems: MOST_MAILS }
)
const cancelledSchema = Type.Union([
  Type.Object({ kind, slug: inputs.slug }, closed),
  Type.Object({ kind, ids: Type.Array(sendId, { maxItems: MOST_MAILS }) }, closed)
])
const reasonSchema = Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 })

/** A transaction that a write is part of. */
interface Within {
  readonly session?: ClientSession
}

/**
 * Queues mails of campaigns; those of a template that is not published are left out.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function queueCampaignMails(
  context: MailerContext,
  given: readonly CampaignMail[],
  options: Within = {}
): Promise<QueuedMails> {
  const mails: readonly CampaignMail[] = checkedInput('queue', mailsSchema, given)
  if (mails.length === 0) return { added: 0, unpublished: [] }
  checkKinds(context, mails)
  const slugs = [...new Set(mails.map(({ templateSlug }) => templateSlug))]
  const templates = await context.templates.load(slugs)
  const sends = mails.flatMap((mail) => {
    const template = templates.get(mail.templateSlug)
    return template === undefined ? [] : [sendOf(mail, template)]
  })
  const { added } = await queueSends(context, sends, options)
  return { added, unpublished: slugs.filter((slug) => !templates.has(slug)) }
}

/** Mails of a kind without a plugin would be held until they are cancelled. */
function checkKinds({ extensions }: MailerContext, mails: readonly CampaignMail[]): void {
  const known = new Set(extensions.campaigns().map((source) => source.kind))
  const at = mails.findIndex((mail) => !known.has(mail.campaign.kind))
  if (at < 0) return
  const problem = 'is of no plugin: contribute it to mailer.campaigns/v1'
  throw errors.MLR_INPUT_INVALID({ operation: 'queue', path: `${at}/campaign/kind`, problem })
}

function sendOf(
  { campaign: of, key, id, templateSlug, externalId, vars, providerOverride }: CampaignMail,
  { kind: templateKind, category }: PreparedTemplate
): NewSend {
  return {
    ...(id !== undefined && { id }),
    dedupeKey: dedupeKeys.campaign(of.kind, key),
    lane: templateKind === 'marketing' ? 'bulk' : 'urgent',
    externalId,
    kind: templateKind,
    templateSlug,
    campaign: of,
    ...(category !== undefined && { category }),
    ...(vars !== undefined && { vars }),
    ...(providerOverride !== undefined && { providerOverride })
  }
}

/**
 * Cancels mails of one campaign, or some of its kind, that no provider has seen. `reason` is a code.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function cancelCampaignMails(
  context: MailerContext,
  given: CampaignMails,
  reason: string,
  options: Within = {}
): Promise<{ readonly cancelled: number }> {
  const mails: CampaignMails = checkedInput('cancel', cancelledSchema, given)
  checkedInput('cancel', reasonSchema, reason)
  const filter =
    'slug' in mails
      ? { 'campaign.kind': mails.kind, 'campaign.slug': mails.slug }
      : { _id: { $in: [...mails.ids] }, 'campaign.kind': mails.kind }
  return { cancelled: await cancelSends(context, filter, reason, options) }
}

const STATE_FIELDS = { handoff: 1, sentAt: 1, 'attempt.at': 1, queuedAt: 1, state: 1 } as const

/** Where mails are, by id. Those that are unknown are left out. */
export async function mailStates(
  { collections }: Pick<MailerContext, 'collections'>,
  ids: readonly string[]
): Promise<ReadonlyMap<string, CampaignMailState>> {
  const rows = await inChunks(ids, (chunk) =>
    collections.sends.find({ _id: { $in: chunk } }, { projection: STATE_FIELDS }).toArray()
  )
  return new Map(rows.map((row) => [row._id, stateOf(row)]))
}

/** How many mails of campaigns a provider has, or may have, by slug. Those without one are left out. */
export async function countSentMails(
  { collections }: Pick<MailerContext, 'collections'>,
  kind: string,
  slugs: readonly string[]
): Promise<ReadonlyMap<string, number>> {
  const match = {
    'campaign.kind': kind,
    'campaign.slug': { $in: [...slugs] },
    handoff: { $in: ['sent', 'unknown'] }
  }
  const rows = await collections.sends
    .aggregate<{ readonly _id: string; readonly count: number }>([
      { $match: match },
      { $group: { _id: '$campaign.slug', count: { $sum: 1 } } }
    ])
    .toArray()
  return new Map(rows.map(({ _id, count }) => [_id, count]))
}

/** A mail that a provider may have counts as handed: what depends on it never happens twice. */
function stateOf({ handoff, sentAt, attempt, queuedAt, state }: SendRow): CampaignMailState {
  if (handoff === 'sent' || handoff === 'unknown')
    return { kind: 'handed', at: sentAt ?? attempt?.at ?? queuedAt }
  return { kind: state === 'done' ? 'ended' : 'waiting' }
}
