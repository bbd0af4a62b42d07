// The providers that take no mail, one row each, shared by all processes.
import { DURABLE } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import type { Outage } from '../../ledger/state-row.ts'
import { providerRow, type StateRow } from '../../ledger/state-row.ts'
import { type ProviderFault, probeDelay } from './outage-rules.ts'

const DUPLICATE_KEY = 11_000
const PREFIX = providerRow('')

type Storage = Pick<MailerContext, 'collections' | 'clock'>

/** Outages by the name of their provider, those that are over for some minutes included. */
export async function readOutages({
  collections
}: Pick<MailerContext, 'collections'>): Promise<ReadonlyMap<string, Outage>> {
  // `;` follows `:` in the order of texts.
  const range = { $gte: PREFIX, $lt: `${PREFIX.slice(0, -1)};` }
  return outagesIn(await collections.state.find({ _id: range }).toArray())
}

/** The outages among rows of the state. */
export function outagesIn(rows: readonly StateRow[]): ReadonlyMap<string, Outage> {
  return new Map(
    rows.flatMap(({ _id, outage }) =>
      outage === undefined || !_id.startsWith(PREFIX) ? [] : [[_id.slice(PREFIX.length), outage]]
    )
  )
}

/** Notes that a provider takes no mail. An outage that another process noted first stays as it is. */
export async function beginOutage(
  { collections, log }: Pick<MailerContext, 'collections' | 'log'>,
  provider: string,
  outage: Outage
): Promise<void> {
  const { reason, nextProbeAt } = outage
  log.warn({ provider, reason, nextProbeAt }, `mailer: mails wait for ${provider}: ${reason}`)
  const isOver = { $or: [{ outage: { $exists: false } }, { 'outage.backAt': { $exists: true } }] }
  try {
    await collections.state.updateOne(
      { _id: providerRow(provider), ...isOver },
      { $set: { outage } },
      { ...DURABLE, upsert: true }
    )
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === DUPLICATE_KEY) return
    log.error({ err: error }, `mailer: an outage was not noted: ${messageOf(error)}`)
  }
}

/** Takes the next probe, whose time has come: of several processes one gets it. It sets the time of the one after. */
export async function claimProbe(
  { collections, clock }: Storage,
  provider: string,
  { probes }: Outage
): Promise<Outage | undefined> {
  const now = clock.now()
  const row = await collections.state.findOneAndUpdate(
    {
      _id: providerRow(provider),
      'outage.probes': probes,
      'outage.nextProbeAt': { $lte: now },
      'outage.backAt': { $exists: false }
    },
    {
      $set: { 'outage.nextProbeAt': new Date(now.getTime() + probeDelay(probes + 1)) },
      $inc: { 'outage.probes': 1 }
    },
    { returnDocument: 'after' }
  )
  return row?.outage
}

/** Makes the next mail for a provider that takes none a probe, whatever its time. */
export async function probeNow({ collections, clock }: Storage, provider: string): Promise<void> {
  await collections.state.updateOne(
    { _id: providerRow(provider), outage: { $exists: true }, 'outage.backAt': { $exists: false } },
    { $min: { 'outage.nextProbeAt': clock.now() } }
  )
}

/** Notes what a probe answered, where it differs from what is known. @returns the outage as it is then */
export async function noteProbe(
  { collections, clock }: Storage,
  provider: string,
  outage: Outage,
  { reason, retryAfterSeconds }: ProviderFault
): Promise<Outage> {
  const wanted = new Date(clock.now().getTime() + probeDelay(outage.probes, retryAfterSeconds))
  const nextProbeAt = retryAfterSeconds === undefined ? outage.nextProbeAt : wanted
  if (reason === outage.reason && nextProbeAt <= outage.nextProbeAt) return outage
  await collections.state.updateOne(
    { _id: providerRow(provider), 'outage.probes': outage.probes },
    { $set: { 'outage.reason': reason, 'outage.nextProbeAt': nextProbeAt } }
  )
  return { ...outage, reason, nextProbeAt }
}

/** Notes that a provider takes mail again. */
export async function endOutage({ collections, clock }: Storage, provider: string): Promise<void> {
  await collections.state.updateOne(
    { _id: providerRow(provider), outage: { $exists: true }, 'outage.backAt': { $exists: false } },
    { $set: { 'outage.backAt': clock.now() } },
    DURABLE
  )
}
