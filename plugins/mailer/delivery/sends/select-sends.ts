// Which mails an operation on many is about, and how many they are: only as many as were confirmed are changed.
import { type Static, Type } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import { addressForms, domainOf } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { FAILED, UNKNOWN } from './bring-back.ts'

const text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...(description && { description }) }))
const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }))

/** Mails for which all that is set holds. */
export const sendSelectionSchema = Type.Object(
  {
    kind: Type.Optional(Type.Enum(['marketing', 'transactional'])),
    template: text(128, 'Slug of the template.'),
    email: text(320, 'In any case.'),
    broadcast: text(128, 'Slug of the broadcast.'),
    flow: text(128, 'Slug of the flow.'),
    domain: text(255, 'What the address ends with after `@`.'),
    sender: text(255, 'What the From address ends with after `@`.'),
    provider: text(128, 'The provider that was asked last.'),
    reason: text(128, 'The `exitReason`.'),
    from: time('Queued at this time or later.'),
    to: time('Queued before this time.')
  },
  { additionalProperties: false, title: 'SendSelection' }
)

/** Mails for which all that is set holds. */
export type SendSelection = Static<typeof sendSelectionSchema>

/** How many mails an operation on many would change. */
export interface OpenSends {
  /** Mails that ended without a provider having them. */
  readonly failed: number
  /** Mails that a provider may or may not have. */
  readonly unknown: number
}

/** The filter of a selection. */
export async function filterOf(
  { collections }: Pick<MailerContext, 'collections'>,
  {
    kind,
    template,
    email,
    broadcast,
    flow,
    domain,
    sender,
    provider,
    reason,
    from,
    to
  }: SendSelection
): Promise<Filter<SendRow>> {
  const queuedAt = {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(to) })
  }
  return {
    ...(kind !== undefined && { kind }),
    ...(template !== undefined && { templateSlug: template }),
    ...(email !== undefined && { emailAtSend: { $in: [...addressForms(email)] } }),
    ...(broadcast !== undefined && { broadcastId: await idOf(collections, broadcast) }),
    ...(flow !== undefined && { flowSlug: flow }),
    ...(domain !== undefined && { toDomain: domainOf(domain) }),
    ...alternatives(provider, sender),
    ...(reason !== undefined && { exitReason: reason }),
    ...(Object.keys(queuedAt).length > 0 && { queuedAt })
  }
}

/** What a mail has in one of two places. */
function alternatives(provider: string | undefined, sender: string | undefined): Filter<SendRow> {
  const $and = [
    ...(provider !== undefined ? [{ $or: [{ provider }, { 'attempt.provider': provider }] }] : []),
    ...(sender !== undefined ? [ofSender(domainOf(sender))] : [])
  ]
  return $and.length === 0 ? {} : { $and }
}

/** Mail that a gate holds has no From address yet. */
const ofSender = (domain: string): Filter<SendRow> => ({
  $or: [
    {
      'from.email': {
        $regex: `@${domain.replaceAll(/[^a-z0-9-]/g, String.raw`\$&`)}$`,
        $options: 'i'
      }
    },
    { 'hold.senderDomain': domain }
  ]
})

/** The mails of a broadcast are indexed by its id. */
async function idOf({ broadcasts }: MailerContext['collections'], slug: string): Promise<string> {
  const row = await broadcasts.findOne({ slug }, { projection: { _id: 1 } })
  return row?._id ?? ''
}

/** Counts the mails that could be retried, and those that could be resolved. */
export async function countOpenSends(
  context: Pick<MailerContext, 'collections'>,
  selection: SendSelection
): Promise<OpenSends> {
  const filter = await filterOf(context, selection)
  const [failed, unknown] = await Promise.all(
    [FAILED, UNKNOWN].map((state) => countEnded(context, filter, state))
  )
  return { failed: failed as number, unknown: unknown as number }
}

/** Counts mails that are over in one way. */
export const countEnded = (
  { collections }: Pick<MailerContext, 'collections'>,
  filter: Filter<SendRow>,
  state: typeof FAILED | typeof UNKNOWN
): Promise<number> => {
  const isByKeys = state === FAILED && Object.keys(filter).every((field) => field === 'broadcastId')
  return collections.sends.countDocuments({ ...state, ...filter }, isByKeys ? FAILED_INDEX : {})
}

/** Has failed mails alone: all of them, or those of a broadcast, are counted by its keys, and no row is read. */
export const FAILED_INDEX = { hint: { status: 1, handoff: 1, state: 1, broadcastId: 1 } } as const
