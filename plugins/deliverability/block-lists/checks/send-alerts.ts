// Mails about targets that were listed or are no longer listed: one mail for a run, sent once.
import { systemActor } from '@keelson/sdk'
import type { ChangeRow } from '../storage/rows.ts'
import type { DnsblContext } from './dnsbl-context.ts'

const ALERTS = systemActor('block-lists', 'alerts')
const MAX_CHANGES = 1_000

/** Sends what is pending. A change stays pending until the mailer has its mail. */
export async function sendAlerts({ settings, stored, mailer }: DnsblContext): Promise<void> {
  const { alertEmail } = settings
  if (alertEmail === undefined) return
  const pending = await stored.changes
    .find({ isPending: true })
    .sort({ runId: 1 })
    .limit(MAX_CHANGES)
    .toArray()
  for (const [runId, changes] of byRun(pending)) {
    const mail = alertMail(changes)
    await mailer.as(ALERTS).notify({ ...mail, to: alertEmail, dedupeKey: `block-lists:${runId}` })
    await stored.changes.updateMany({ runId, isPending: true }, { $unset: { isPending: '' } })
  }
}

function byRun(changes: readonly ChangeRow[]): ReadonlyMap<string, readonly ChangeRow[]> {
  const runs = new Map<string, ChangeRow[]>()
  for (const change of changes) {
    const run = runs.get(change.runId)
    if (run === undefined) runs.set(change.runId, [change])
    else run.push(change)
  }
  return runs
}

/** The mail about the changes of one run. Pure. */
export function alertMail(changes: readonly ChangeRow[]): {
  readonly subject: string
  readonly text: string
} {
  const listed = changes.filter(({ result }) => result === 'listed')
  const [first] = changes
  const subject =
    changes.length === 1 && first !== undefined
      ? `${first.target} is ${listed.length === 1 ? 'listed' : 'no longer listed'} on ${first.listLabel}`
      : `Block lists: ${listed.length} new listings, ${changes.length - listed.length} ended`
  return { subject, text: `${changes.map(lineOf).join('\n')}\n` }
}

function lineOf({ target, list, listLabel, result, codes }: ChangeRow): string {
  if (result === 'clean') return `${target} is no longer listed on ${listLabel} (${list}).`
  const meanings = codes.map(({ code, meaning }) => `${meaning} (${code})`).join(', ')
  return `${target} is listed on ${listLabel} (${list}): ${meanings}.`
}
