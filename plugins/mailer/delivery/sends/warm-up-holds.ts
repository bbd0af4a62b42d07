// Holds what the warm-up of a sender domain does not let out yet. The count of a day is shared by all processes.

import type { ItemResult } from '@keelson/sdk'
import { domainOf, normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { type MailboxProvider, mailboxProviderOf } from '../../ledger/mailbox-provider.ts'
import { type WarmUpSchedule, warmUpAllowance } from '../../providers/warm-up.ts'
import { senderOf } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import type { SendingBatch } from './sending-batch.ts'
import { settleWait } from './settle-send.ts'
import { type Step, settleKnown } from './step.ts'

/** Mails from one domain to one mailbox provider. */
interface Route {
  readonly domain: string
  readonly mailbox: MailboxProvider
  readonly schedule: WarmUpSchedule
}

const DAY = 86_400_000
const DUPLICATE_KEY = 11000

/** The mails that may leave now. Mail that a person waits for (transactional) counts, and is never held. */
export async function holdForWarmUp(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  const { context } = batch
  if (context.config.warmUp === undefined) return { go: facts, settled: [] }
  const routes = new Map(facts.map((one) => [one, routeOf(context, one)]))
  const held = new Map<string, ItemResult>()
  const groups = groupedBy(facts, (one) => {
    const route = routes.get(one)
    return route === undefined ? '' : `${route.domain} ${route.mailbox}`
  })
  for (const group of groups.values()) {
    const route = routes.get(group[0] as SendFacts)
    if (route === undefined) continue
    for (const [id, result] of await holdRest(context, route, group)) held.set(id, result)
  }
  return settleKnown(facts, held)
}

function routeOf({ config }: MailerContext, facts: SendFacts): Route | undefined {
  const { contact, template } = facts
  const domain = domainOf((template && senderOf(config, template)?.email) ?? '')
  const mailbox = mailboxProviderOf(normalAddress(contact?.email ?? ''))
  const schedule = config.warmUp?.[mailbox]
  return contact === undefined || domain === '' || schedule === undefined
    ? undefined
    : { domain, mailbox, schedule }
}

/** The results of the mails of the group that wait. */
async function holdRest(
  context: MailerContext,
  route: Route,
  group: readonly SendFacts[]
): Promise<readonly (readonly [id: string, result: ItemResult])[]> {
  const marketing = group.filter(({ send }) => send.kind === 'marketing')
  const free = group.length - marketing.length
  const now = context.clock.now()
  const before = await countSent(context, route, { free, wanted: marketing.length, now })
  const { schedule, domain, mailbox } = route
  const { now: granted } = warmUpAllowance(schedule, before + free, now)
  const held = marketing.slice(granted)
  const sent = before + free + Math.min(granted, marketing.length)
  const { nextAt: until } = warmUpAllowance(schedule, sent, now)
  const message = `The warm-up of ${domain} lets no more mail to ${mailbox} leave for now.`
  const wait = { handoff: 'deferred', cause: 'warm_up', message, until } as const
  return held.map(({ send }) => [send._id, settleWait(send, wait, now)] as const)
}

interface Wanted {
  /** Mails that leave in any case. */
  readonly free: number
  readonly wanted: number
  readonly now: Date
}

/** Counts what may leave of it, in one command. @returns what was counted before */
async function countSent(
  { collections }: MailerContext,
  { domain, mailbox, schedule }: Route,
  { free, wanted, now }: Wanted
): Promise<number> {
  const day = Math.floor(now.getTime() / DAY)
  const _id = `${domain} ${mailbox} ${new Date(day * DAY).toISOString().slice(0, 10)}`
  const due = warmUpAllowance(schedule, 0, now).now
  const counted = { $add: [{ $ifNull: ['$sent', 0] }, free] }
  const sent = { $max: [counted, { $min: [{ $add: [counted, wanted] }, due] }] }
  const expiresAt = new Date((day + 2) * DAY)
  const count = () =>
    collections.warmUp.findOneAndUpdate({ _id }, [{ $set: { sent, expiresAt } }], {
      upsert: true,
      returnDocument: 'before'
    })
  // Of two first mails of a day, one finds the row that the other made.
  const row = await count().catch((error: { readonly code?: unknown }) => {
    if (error.code !== DUPLICATE_KEY) throw error
    return count()
  })
  return row?.sent ?? 0
}
