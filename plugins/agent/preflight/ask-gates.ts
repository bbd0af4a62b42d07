// Asks every gate that a real mail would meet, for one template, and sends nothing.
import {
  findSubscriptions,
  findSuppressions,
  getTemplate,
  hasPolicy,
  holdOfBatch,
  judgeMail,
  mailPolicyReach,
  normalAddress,
  recentMarketing,
  suppressionThatBlocks,
  type TemplateRow
} from '@keelson/mailer'
import type { MailContact } from '@keelson/mailer/contracts'
import type { AgentHost } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { verifyTemplate } from '../verify/verify-template.ts'

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
export async function askGates(host: AgentHost, asked: Asked): Promise<readonly GateLine[]> {
  const template = await getTemplate(host.context, asked.slug)
  const named = (line: GateLine) => ({ ...line, template: asked.slug })
  if (template === null) {
    const fix = 'Publish it with PUT /templates/:slug.'
    return [named({ gate: 'published', verdict: 'fail', reason: 'The template is missing.', fix })]
  }
  const lines = await Promise.all([
    contentLines(host, asked),
    sendGateLine(host, template, asked),
    ...(asked.contact === undefined ? [] : [contactLines(host, template, asked, asked.contact)])
  ])
  return lines.flat().map(named)
}

/** Publishing gates: the checks of a verification, the linter and the sender's domain among them. */
async function contentLines(host: AgentHost, asked: Asked): Promise<readonly GateLine[]> {
  const { slug, contact, vars } = asked
  const result = await verifyTemplate(host.context, slug, {
    ...(contact === undefined
      ? { sampleContact: { externalId: 'sample', email: 'sample@example.invalid' } }
      : { contactId: contact.externalId }),
    ...(vars !== undefined && { vars })
  })
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
  { context }: AgentHost,
  template: TemplateRow,
  { slug: templateSlug, broadcastSlug, flowSlug, count }: Asked
): Promise<readonly GateLine[]> {
  const { kind, fromEmail, providerOverride } = template
  const senderDomain = fromEmail.split('@').at(-1)?.toLowerCase() ?? null
  const provider = providerOverride ?? context.config.defaultProvider ?? ''
  const batch = { kind, senderDomain, provider, templateSlug, broadcastSlug, flowSlug, count }
  const hold = await holdOfBatch(context, batch)
  if (hold === undefined)
    return [{ gate: 'send_gates', verdict: 'pass', reason: 'No gate would hold the mail.' }]
  const reason = `${hold.gate} would hold the mail: ${hold.message}`
  return [{ gate: 'send_gates', verdict: 'fail', reason, fix: 'Resolve what the gate names.' }]
}

async function contactLines(
  { context }: AgentHost,
  { kind, category }: TemplateRow,
  { broadcastSlug }: Asked,
  contact: MailContact
): Promise<readonly GateLine[]> {
  const email = normalAddress(contact.email)
  const now = context.clock.now()
  const [suppressions, subscriptions] = await Promise.all([
    findSuppressions(context, [email]),
    findSubscriptions(context, [contact.externalId])
  ])
  const rows = suppressions.get(email) ?? []
  const blocking = suppressionThatBlocks(rows, kind, category ?? undefined, now)
  const status = subscriptions.get(contact.externalId)?.status
  // A broadcast goes to subscribed contacts alone; a single mail also to a contact without a subscription.
  const isClosed =
    kind === 'marketing' &&
    (status === undefined ? broadcastSlug !== null : CLOSED.includes(status))
  return [
    blocking === undefined
      ? { gate: 'suppression', verdict: 'pass', reason: 'The address is not suppressed.' }
      : {
          gate: 'suppression',
          verdict: 'fail',
          reason: `The address is suppressed: ${blocking.reason}, ${blocking.scope}.`,
          fix: 'For a test contact use POST /contacts/:externalId/reset.'
        },
    isClosed
      ? {
          gate: 'subscription',
          verdict: 'fail',
          reason: `The contact is ${status ?? 'not subscribed: it has no subscription'}.`,
          fix: 'Marketing mail goes to subscribed contacts alone.'
        }
      : { gate: 'subscription', verdict: 'pass', reason: `The contact is ${status ?? 'new'}.` },
    await policyLine(context, { kind, email, contact, category: category ?? undefined, now })
  ]
}

async function policyLine(
  context: AgentHost['context'],
  {
    kind,
    email,
    contact,
    category,
    now
  }: {
    readonly kind: string
    readonly email: string
    readonly contact: MailContact
    readonly category: string | undefined
    readonly now: Date
  }
): Promise<GateLine> {
  const gate = 'policy'
  if (!hasPolicy(context.config) || kind !== 'marketing')
    return { gate, verdict: 'skipped', reason: 'No contact policy concerns this mail.' }
  const since = new Date(now.getTime() - mailPolicyReach(context.config))
  const recent = (await recentMarketing(context, [email], since)).get(email) ?? []
  const { timezone } = contact.fields as { readonly timezone?: string }
  const verdict = judgeMail(context.config, { now, queuedAt: now, timezone, category }, recent)
  if (verdict.kind === 'go') return { gate, verdict: 'pass', reason: 'The mail may leave now.' }
  const until = verdict.kind === 'wait' ? ` until ${verdict.until.toISOString()}` : ''
  const reason = `The rule ${verdict.cause} makes the mail wait${until}.`
  return { gate, verdict: verdict.kind === 'wait' ? 'warn' : 'fail', reason, fix: 'Send it later.' }
}
