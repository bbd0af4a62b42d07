// The words of an alert: a mail, and what a webhook says. Pure.
import type { DmarcAlert } from '../contracts.ts'
import type { AlertRow } from '../storage/rows.ts'

const TITLES: Readonly<Record<AlertRow['kind'], string>> = {
  unknown_source_failing: 'An unknown source fails DMARC',
  known_source_failing: 'A known source fails DMARC',
  alignment_drop: 'Less mail passes DMARC',
  reports_stopped: 'DMARC reports stopped',
  policy_ready: 'Ready for a stricter DMARC policy',
  dns_misconfigured: 'DNS records need attention'
}

/** The mail about an alert. */
export function alertMail(row: AlertRow): { readonly subject: string; readonly text: string } {
  return { subject: `${titleOf(row)}: ${row.domain}`, text: `${row.message}\n` }
}

/** What a webhook says, for people and for programs. */
export const alertMessage = (row: AlertRow) => ({
  text: `${titleOf(row)}: ${row.message}`,
  message: alertEvent(row)
})

/** An alert as hooks and plain webhooks get it. */
export function alertEvent(row: AlertRow): DmarcAlert {
  const { _id: id, kind, domain, subject, severity, message, state, openedAt, fireCount } = row
  const event = row.pending?.event ?? 'open'
  return { id, event, kind, domain, subject, severity, message, state, openedAt, fireCount }
}

function titleOf({ kind, state, pending }: AlertRow): string {
  if (state === 'resolved') return `Resolved: ${TITLES[kind]}`
  return pending?.event === 'reminder' ? `Reminder: ${TITLES[kind]}` : TITLES[kind]
}
