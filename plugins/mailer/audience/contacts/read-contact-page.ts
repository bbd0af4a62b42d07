// Reads what the page of a contact shows: what happened lately, what is planned, and what mail it gets.
import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { ConsentStep } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type NamesBySlug, readNames } from '../../ledger/names.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { mailPolicyReach } from '../policy/mail-policy.ts'
import { recentMarketing } from '../policy/recent-mail.ts'
import { consentSteps } from './consent-steps.ts'
import { type ContactReach, contactReach } from './contact-reach.ts'
import { type ContactDetails, readContact, SEND_DATA } from './contact-records.ts'
import { findSuppressions } from './find-suppressions.ts'
import { withoutCredentials } from './without-credentials.ts'

const DAY_MS = 86_400_000
const FIGURE_DAYS = 30
/** More mails than this in 30 days are not looked at. */
const MOST_COUNTED = 1_000
const MOST_PLANNED = 20

/** The mails of the last 30 days, and when the contact was last seen. */
export interface ContactFigures {
  readonly mails: number
  readonly openedByPerson: number
  readonly clickedByPerson: number
  /** The newest event, open or click; left out when there is none. */
  readonly lastActiveAt?: Date
}

/** A contact as its page shows it. */
export interface ContactPage extends ContactDetails {
  readonly figures: ContactFigures
  readonly reach: ContactReach
  /** Oldest first. */
  readonly consent: readonly ConsentStep[]
  /** Mails that have not left, those that leave first first. */
  readonly planned: readonly SendRow[]
}

/** null when the adapter does not have the contact. */
export async function readContactPage(
  context: MailerContext,
  externalId: string
): Promise<ContactPage | null> {
  const details = await readContact(context, externalId)
  if (details === null) return null
  const [figures, planned, reach] = await Promise.all([
    readFigures(context, details),
    readPlanned(context, externalId),
    readReach(context, details)
  ])
  return { ...details, figures, planned, reach, consent: consentSteps(details.subscription) }
}

/** The names of all that the page mentions. */
export function namesOfContact(
  context: MailerContext,
  { recentSends, planned, activeRuns, endedRuns, ...more }: ContactPage
): Promise<NamesBySlug> {
  const notEntered = more.recentEvents.flatMap((event) => event.notEntered ?? [])
  return readNames(context, [
    ...recentSends,
    ...planned,
    ...activeRuns,
    ...endedRuns,
    ...more.recentLeftOut.flatMap(({ broadcast: broadcastSlug }) =>
      broadcastSlug === undefined ? [] : { broadcastSlug }
    ),
    ...[...more.recentNotEntered, ...notEntered].map(({ flow: flowSlug }) => ({ flowSlug }))
  ])
}

async function readFigures(
  { collections, clock }: MailerContext,
  { contact, subscription, recentEvents }: ContactDetails
): Promise<ContactFigures> {
  const since = new Date(clock.now().getTime() - FIGURE_DAYS * DAY_MS)
  const mails = await collections.sends
    .find(
      { externalId: contact.externalId, queuedAt: { $gte: since } },
      { projection: { handedAt: 1, humanOpenedAt: 1, humanClickedAt: 1 } }
    )
    .sort({ queuedAt: -1 })
    .limit(MOST_COUNTED)
    .toArray()
  const count = (field: 'handedAt' | 'humanOpenedAt' | 'humanClickedAt') =>
    mails.filter((mail) => mail[field] !== undefined).length
  const times = [subscription?.lastEngagedAt, recentEvents[0]?.occurredAt]
    .flatMap((at) => (at === undefined ? [] : [at.getTime()]))
    .sort((left, right) => right - left)
  const [latest] = times
  return {
    mails: count('handedAt'),
    openedByPerson: count('humanOpenedAt'),
    clickedByPerson: count('humanClickedAt'),
    ...(latest !== undefined && { lastActiveAt: new Date(latest) })
  }
}

async function readPlanned(
  { collections, config }: MailerContext,
  externalId: string
): Promise<readonly SendRow[]> {
  const rows = await collections.sends
    .find(
      { externalId, handoff: { $in: ['queued', 'deferred', 'held', 'sending'] } },
      { projection: SEND_DATA }
    )
    .sort({ queuedAt: -1 })
    .limit(MOST_PLANNED)
    .toArray()
  const timeOf = ({ dueAt, queuedAt }: SendRow) => (dueAt ?? queuedAt).getTime()
  return rows
    .map((row) => withoutCredentials(config, row))
    .sort((left, right) => timeOf(left) - timeOf(right))
}

async function readReach(
  context: MailerContext,
  { contact, subscription }: ContactDetails
): Promise<ContactReach> {
  const { config, clock } = context
  const now = clock.now()
  const { email, timezone } = contact
  const address = normalAddress(email)
  const since = new Date(now.getTime() - mailPolicyReach(config))
  const [suppressions, recent] = await Promise.all([
    findSuppressions(context, [email]),
    recentMarketing(context, [address], since)
  ])
  return contactReach({
    config,
    isMailable: isMailable(email),
    subscription,
    suppressions: suppressions.get(email) ?? [],
    steps: consentSteps(subscription),
    timezone,
    recent: recent.get(address) ?? [],
    now
  })
}
