// Tells the people who run the platform that a provider takes no mail: by a mail, and in the health of the plugin.
import type { Health } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { Outage } from '../../ledger/state-row.ts'
import { isDown } from '../outages/outage-rules.ts'
import { readOutages } from '../outages/outages.ts'
import { notify } from './one-off.ts'

/** Shorter outages are over before anybody reads of them. */
const ALERTED_AFTER_MS = 300_000

/**
 * Mails `alertEmail` once for each outage that lasts five minutes. Called with each tick. Where no other provider
 * takes over, the mail waits like the others.
 */
export async function alertOutages(context: MailerContext): Promise<void> {
  const { config, clock, log } = context
  const { alertEmail: to } = config
  if (to === undefined) return
  for (const [provider, outage] of await downProviders(context)) {
    if (clock.now().getTime() - outage.since.getTime() < ALERTED_AFTER_MS) continue
    const { isNew } = await notify(context, { to, ...alertOf(provider, outage) })
    if (isNew) log.warn({ provider }, `mailer: ${to} gets a mail: ${provider} takes no mail`)
  }
}

/** The mail about an outage; the same for each look at it. Pure. */
export function alertOf(provider: string, { since, reason }: Outage) {
  return {
    subject: `The mail provider ${provider} takes no mail`,
    text: `Mail has been waiting for ${provider} since ${since.toISOString()}: ${reason}\n\nIt leaves by itself when the provider answers. Check its credentials, its limits and the network. The setup list of the mailer shows how many mails wait.`,
    dedupeKey: `provider:${provider}:${since.toISOString()}`
  }
}

/** Degraded while a provider takes no mail. */
export async function providersHealth(
  context: Pick<MailerContext, 'collections'>
): Promise<Health> {
  const down = await downProviders(context)
  if (down.length === 0) return { state: 'ok' }
  const words = down.map(
    ([provider, { since, reason }]) => `${provider} since ${since.toISOString()}: ${reason}`
  )
  return { state: 'degraded', reason: `Mail waits for ${words.join('; ')}`.slice(0, 500) }
}

const downProviders = async (context: Pick<MailerContext, 'collections'>) =>
  [...(await readOutages(context))].filter(([, outage]) => isDown(outage))
