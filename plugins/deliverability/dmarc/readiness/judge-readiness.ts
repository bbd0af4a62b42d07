// What Gmail, Yahoo and Outlook require of bulk senders, checked for one domain. Pure.
import type { SenderFacts } from '@keelson/mailer/contracts'
import type { DnsCheckRow } from '../storage/rows.ts'
import { judgeDns } from './judge-dns.ts'
import { ALL, type ReadinessItem, type ReadinessState, type Receiver } from './readiness-item.ts'

/** Everything that is known about a domain. */
export interface ReadinessFacts {
  readonly domain: string
  /** The newest DNS check; null before the first. */
  readonly check: DnsCheckRow | null
  /** Of the DMARC reports that arrived; null without any. */
  readonly alignment: { readonly messages: number; readonly passed: number } | null
  /** From other plugins, the first that knows a fact wins. */
  readonly facts: Partial<SenderFacts>
}

/** The checklist of a domain. */
export interface Readiness {
  readonly domain: string
  readonly state: ReadinessState
  readonly items: readonly ReadinessItem[]
}

const GMAIL_YAHOO: readonly Receiver[] = ['gmail', 'yahoo']

/** Spam reports: above the first Gmail warns, from the second on it refuses relief. */
const SPAM_WARN = 0.001
const SPAM_LIMIT = 0.003
/** Less aligned mail than this means that a sender is set up wrong. */
const ALIGNED = 0.98
/** Fewer mails say nothing. */
const ENOUGH = 100
const ENCRYPTED = 0.99

const RANK: Readonly<Record<ReadinessState, number>> = { failed: 0, warn: 1, unknown: 2, met: 3 }

/** Judges all requirements; those that need work come first. */
export function judgeReadiness(given: ReadinessFacts): Readiness {
  const items = [
    ...judgeDns(given.check),
    judgeAlignment(given),
    judgeTls(given.facts),
    judgeOneClick(given.facts),
    judgeReverseDns(given),
    judgeSpam(given.facts),
    judgeComplaints(given.facts)
  ].sort((a, b) => RANK[a.state] - RANK[b.state])
  const required = items.filter(({ requiredBy }) => requiredBy.length > 0)
  const states = new Set(required.map(({ state }) => state))
  const state = (['failed', 'warn', 'unknown'] as const).find((one) => states.has(one)) ?? 'met'
  return { domain: given.domain, state, items }
}

const percent = (rate: number): string => `${Number((rate * 100).toFixed(2))} %`

function judgeAlignment({ alignment }: ReadinessFacts): ReadinessItem {
  const head = { id: 'alignment', label: 'From address', requiredBy: ALL }
  if (alignment === null || alignment.messages < ENOUGH) {
    const message = 'Too few DMARC reports to say whether mail aligns with the From address.'
    return { ...head, state: 'unknown', message, hint: 'Publish a DMARC record with rua.' }
  }
  const rate = alignment.passed / alignment.messages
  const message = `${percent(rate)} of the reported mail aligns with the From address.`
  if (rate >= ALIGNED) return { ...head, state: 'met', message }
  const hint =
    'Label the failing sources on the DMARC page; sign their mail with DKIM of this domain.'
  return { ...head, state: 'warn', message, hint }
}

function judgeTls({ encryptedRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'tls', label: 'TLS', requiredBy: ['gmail'] as const }
  if (encryptedRate === undefined) {
    const message = 'No receiver says whether this mail is encrypted on the way.'
    return { ...head, state: 'unknown', message, hint: 'Connect Gmail Postmaster Tools.' }
  }
  const { rate, receiver } = encryptedRate
  const message = `${percent(rate)} of the mail to ${receiver} is encrypted on the way.`
  if (rate >= ENCRYPTED) return { ...head, state: 'met', message }
  const hint = 'Turn on TLS (STARTTLS) for outgoing mail in the mail server or at the provider.'
  return { ...head, state: 'failed', message, hint }
}

function judgeOneClick({ oneClick }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'one_click', label: 'One-click unsubscribe', requiredBy: GMAIL_YAHOO }
  if (oneClick === undefined) {
    const message =
      'The mailer adds List-Unsubscribe and List-Unsubscribe-Post to all marketing mail.'
    return { ...head, state: 'met', message }
  }
  const { isMet, receiver } = oneClick
  if (isMet) {
    return { ...head, state: 'met', message: `${receiver} finds both headers and can use them.` }
  }
  const message = `${receiver} does not find working one-click unsubscribe in this mail.`
  const hint =
    'Set publicUrl of the mailer to an https address that receivers reach, and have DKIM sign both List-Unsubscribe headers.'
  return { ...head, state: 'failed', message, hint }
}

function judgeReverseDns({ check, facts }: ReadinessFacts): ReadinessItem {
  const head = { id: 'reverse_dns', label: 'Reverse DNS', requiredBy: GMAIL_YAHOO }
  const known = check?.reverse ?? []
  if (known.length === 0) {
    const isNamed = (facts.sendingIps?.length ?? 0) > 0
    const message = isNamed
      ? 'Reverse DNS of the sending addresses was not checked yet.'
      : 'No sending address is known. A mail service sets up reverse DNS itself.'
    const hint = isNamed
      ? 'Check the DNS records.'
      : 'With your own servers, list their addresses in dedicatedIps of block-lists.'
    return { ...head, state: 'unknown', message, hint }
  }
  const broken = known.find(({ state }) => state !== 'ok')
  if (broken === undefined) {
    const [{ ip, name }] = known as readonly [(typeof known)[number]]
    const more = known.length === 1 ? '' : ` and ${known.length - 1} more addresses`
    return { ...head, state: 'met', message: `${ip} is ${name}, and back${more}.` }
  }
  const { ip, name, state } = broken
  if (state === 'missing') {
    const hint = `Ask the owner of ${ip} (your host) for a PTR record with a name whose A record is ${ip}.`
    return { ...head, state: 'failed', message: `${ip} has no reverse DNS name.`, hint }
  }
  const message = `The reverse DNS name ${name} of ${ip} does not lead back to it.`
  return { ...head, state: 'failed', message, hint: `Publish an A or AAAA record ${name}: ${ip}.` }
}

function judgeSpam({ spamRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'spam_rate', label: 'Spam rate', requiredBy: GMAIL_YAHOO }
  if (spamRate === undefined) {
    const message = 'No receiver says how much of this mail is reported as spam.'
    return { ...head, state: 'unknown', message, hint: 'Connect Gmail Postmaster Tools.' }
  }
  const { rate, receiver, date } = spamRate
  const message = `${percent(rate)} at ${receiver} on ${date}; it must stay under ${percent(SPAM_LIMIT)}.`
  if (rate <= SPAM_WARN) return { ...head, state: 'met', message }
  const hint = 'Mail only people who were active in the last 90 days until the rate is under 0.1 %.'
  return { ...head, state: rate < SPAM_LIMIT ? 'warn' : 'failed', message, hint }
}

function judgeComplaints({ complaintRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'complaint_rate', label: 'Complaints', requiredBy: ['yahoo'] as const }
  if (complaintRate === undefined || complaintRate.sent < ENOUGH) {
    const message = `Complaint rates count from ${ENOUGH} mails on.`
    return { ...head, state: 'unknown', message }
  }
  const { rate, sent } = complaintRate
  const message = `${percent(rate)} of ${sent} mails led to a complaint; the limit is ${percent(SPAM_LIMIT)}.`
  if (rate <= SPAM_WARN) return { ...head, state: 'met', message }
  const hint = 'Find the broadcast or flow with most complaints, and mail its audience less.'
  return { ...head, state: rate < SPAM_LIMIT ? 'warn' : 'failed', message, hint }
}
