// Asks every gate that a real mail would meet, for one template, and sends nothing.
import type { MailContact, MailPath, WantedMail } from '@keelson/mailer/contracts'
import type { Acting } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'

/** What one gate says. */
export interface GateLine {
  readonly gate: string
  /** `skipped`: it has nothing to judge here. */
  readonly verdict: 'pass' | 'warn' | 'fail' | 'skipped'
  readonly reason: string
  readonly fix?: string
}

/** What is asked about. */
export interface Asked {
  readonly slug: string
  /** Undefined: a made-up contact for the rendering, and no gates of a contact. */
  readonly contact?: MailContact | undefined
  readonly vars?: Readonly<Record<string, unknown>>
  readonly broadcastSlug: string | null
  readonly flowSlug: string | null
  /** How many mails. */
  readonly count: number
}

const CLOSED = ['unsubscribed', 'pending_doi', 'bounced', 'complained']

/** The lines about one template. */
export async function askGates(call: Acting, asked: Asked): Promise<readonly GateLine[]> {
  const { host, actor } = call
  const { slug, contact, flowSlug, broadcastSlug, count } = asked
  const named = (line: GateLine) => ({ ...line, template: slug })
  const found = await host.operations.as(actor).call('mailer.templates.read', { params: { slug } })
  if (!found.ok) {
    const fix = 'Publish it with PUT /templates/:slug.'
    return [named({ gate: 'published', verdict: 'fail', reason: 'The template is missing.', fix })]
  }
  const { kind, category, fromEmail, providerOverride } = found.answer
  const template = {
    slug,
    kind,
    fromEmail,
    ...(category !== undefined && { category }),
    ...(providerOverride !== undefined && { providerOverride })
  }
  const wanted = { template, flowSlug, broadcastSlug, count }
  const lines = await Promise.all([
    contentLines(call, asked),
    sendGateLine(call, wanted),
    ...(contact === undefined ? [] : [contactLines(call, wanted, contact)])
  ])
  return lines.flat().map(named)
}

/** Publishing gates: the checks of a verification, the linter and the sender's domain among them. */
async function contentLines(
  { host, actor }: Acting,
  { slug, contact, vars }: Asked
): Promise<readonly GateLine[]> {
  const opened = await host.workbench.as(actor).verification(slug)
  const result = opened.ok
    ? await opened.for({
        ...(contact === undefined
          ? { sampleContact: { externalId: 'sample', email: 'sample@example.invalid' } }
          : { contactId: contact.externalId }),
        ...(vars !== undefined && { vars })
      })
    : opened
  if (!result.ok) {
    const { message: reason = refusals.table[result.code].message } = result
    return [{ gate: 'render', verdict: 'fail', reason, fix: refusals.table[result.code].fix }]
  }
  return result.checks.map(({ id, status, message, fix }) => ({
    gate: id,
    verdict: status,
    reason: message ?? 'Nothing is wrong.',
    ...(fix !== undefined && { fix })
  }))
}

/** Gates of other plugins before a hand-over: block lists, the circuit breaker and the like. */
async function sendGateLine(
  { host, actor }: Acting,
  wanted: WantedMail
): Promise<readonly GateLine[]> {
  const hold = await host.workbench.as(actor).holdOf(wanted)
  if (hold === null)
    return [{ gate: 'send_gates', verdict: 'pass', reason: 'No gate would hold the mail.' }]
  const reason = `${hold.gate} would hold the mail: ${hold.message}`
  return [{ gate: 'send_gates', verdict: 'fail', reason, fix: 'Resolve what the gate names.' }]
}

async function contactLines(
  { host, actor }: Acting,
  wanted: WantedMail,
  contact: MailContact
): Promise<readonly GateLine[]> {
  const path = await host.workbench.as(actor).pathOf(wanted, contact)
  return [suppressionLine(path), subscriptionLine(path, wanted), policyLine(path)]
}

const suppressionLine = ({ suppression }: MailPath): GateLine =>
  suppression === null
    ? { gate: 'suppression', verdict: 'pass', reason: 'The address is not suppressed.' }
    : {
        gate: 'suppression',
        verdict: 'fail',
        reason: `The address is suppressed: ${suppression.reason}, ${suppression.scope}.`,
        fix: 'For a test contact use POST /contacts/:externalId/reset.'
      }

function subscriptionLine(
  { subscription: status }: MailPath,
  { template: { kind }, broadcastSlug }: WantedMail
): GateLine {
  // A broadcast goes to subscribed contacts alone; a single mail also to a contact without a subscription.
  const isClosed =
    kind === 'marketing' && (status === null ? broadcastSlug !== null : CLOSED.includes(status))
  return isClosed
    ? {
        gate: 'subscription',
        verdict: 'fail',
        reason: `The contact is ${status ?? 'not subscribed: it has no subscription'}.`,
        fix: 'Marketing mail goes to subscribed contacts alone.'
      }
    : { gate: 'subscription', verdict: 'pass', reason: `The contact is ${status ?? 'new'}.` }
}

function policyLine({ policy: verdict }: MailPath): GateLine {
  const gate = 'policy'
  if (verdict === null)
    return { gate, verdict: 'skipped', reason: 'No contact policy concerns this mail.' }
  if (verdict.kind === 'go') return { gate, verdict: 'pass', reason: 'The mail may leave now.' }
  const until = verdict.kind === 'wait' ? ` until ${verdict.until.toISOString()}` : ''
  const reason = `The rule ${verdict.cause} makes the mail wait${until}.`
  return { gate, verdict: verdict.kind === 'wait' ? 'warn' : 'fail', reason, fix: 'Send it later.' }
}
