// Reads what is known about the mails of a batch: one query for each kind of fact.

import { findSubscriptions } from '../../audience/contacts/find-subscriptions.ts'
import { findSuppressions } from '../../audience/contacts/find-suppressions.ts'
import { suppressionThatBlocks } from '../../audience/contacts/suppression-rules.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { isMailable } from '../../ledger/address.ts'
import type { BroadcastRow, BroadcastStatus } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { chooseProvider } from '../../providers/choose-provider.ts'
import type { SendFacts } from './decide-send.ts'

/** What is known about each mail, in the order of `sends`. */
export async function gatherFacts(
  context: MailerContext,
  sends: readonly SendRow[]
): Promise<readonly SendFacts[]> {
  const { templates, clock } = context
  const toContacts = sends.filter(({ operatorMail }) => operatorMail === undefined)
  const ids = [...new Set(toContacts.map(({ externalId }) => externalId))]
  const marketing = toContacts.filter(({ kind }) => kind === 'marketing')
  const [contacts, published, subscriptions, broadcasts] = await Promise.all([
    contactsOf(context, ids),
    templates.load([...new Set(toContacts.map(({ templateSlug }) => templateSlug))]),
    findSubscriptions(context, [...new Set(marketing.map(({ externalId }) => externalId))]),
    statusOfBroadcasts(context, sends)
  ])
  const emails = [...contacts.values()].map(({ email }) => email).filter(isMailable)
  const suppressions = await findSuppressions(context, emails)
  const now = clock.now()
  return sends.map((send): SendFacts => {
    const contact = contacts.get(send.externalId)
    const template = published.get(send.templateSlug)
    const rows = suppressions.get(contact?.email ?? '') ?? []
    return {
      send,
      contact,
      template,
      subscription: subscriptions.get(send.externalId),
      suppression: suppressionThatBlocks(rows, send.kind, send.category, now),
      broadcastStatus: broadcasts.get(send.broadcastId ?? ''),
      provider: providerOf(context, send, template?.providerOverride)
    }
  })
}

async function contactsOf(
  { adapter }: MailerContext,
  ids: readonly string[]
): Promise<ReadonlyMap<string, MailContact>> {
  return ids.length === 0 ? new Map() : adapter.getBatch(ids)
}

function providerOf(
  { config, providers }: MailerContext,
  { providerOverride: override, kind }: SendRow,
  template: string | undefined
): string | undefined {
  const choice = chooseProvider({ override, template, kind }, config, providers)
  return 'name' in choice ? choice.name : undefined
}

/** A wave that is full queues no more mails; those that it has go out. */
function statusForMails({ status, pauseReason }: BroadcastRow): BroadcastStatus {
  return status === 'paused' && pauseReason?.code === 'cap_reached' ? 'sending' : status
}

/** The status of each broadcast as its mails see it. */
export async function statusOfBroadcasts(
  { collections }: MailerContext,
  sends: readonly SendRow[]
): Promise<ReadonlyMap<string, BroadcastStatus>> {
  const ids = new Set(sends.flatMap(({ broadcastId }) => broadcastId ?? []))
  if (ids.size === 0) return new Map()
  const rows = await collections.broadcasts
    .find({ _id: { $in: [...ids] } }, { projection: { status: 1, 'pauseReason.code': 1 } })
    .toArray()
  return new Map(rows.map((row) => [row._id, statusForMails(row)]))
}
