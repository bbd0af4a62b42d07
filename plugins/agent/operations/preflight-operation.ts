// Preflight: every gate that a real send would meet, asked at once; nothing is sent.
import type { MailContact, MailerResult, SetupSeverity } from '@keelson/mailer/contracts'
import { type Call, closed, operation, type Refused, type Static, Type } from '@keelson/sdk'
import {
  type Acting,
  type AgentHost,
  access,
  contactIdInput,
  DOCUMENT_BYTES,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, text } from '../answers/shapes.ts'
import { askGates, type GateLine } from '../preflight/ask-gates.ts'
import { refusalOf } from './broadcast-refusals.ts'
import { contactOf } from './contact-guard.ts'
import { invalid } from './invalid.ts'

type SubjectRefusal = Refused<
  'validation_failed' | 'forbidden' | 'flow_not_found' | 'broadcast_not_found'
>

interface Subject {
  readonly ok: true
  readonly slugs: readonly string[]
  readonly flowSlug: string | null
  readonly broadcastSlug: string | null
  readonly count: number
  /** About the flow or the broadcast itself. */
  readonly lines: readonly GateLine[]
}

const slug = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }))
const body = Type.Object(
  {
    templateSlug: slug,
    flowSlug: slug,
    broadcastSlug: slug,
    contactId: Type.Optional(contactIdInput),
    vars: Type.Optional(valuesInput)
  },
  closed
)
const line = Type.Object(
  {
    gate: text,
    verdict: Type.Enum(['pass', 'warn', 'fail', 'skipped']),
    reason: text,
    fix: Type.Optional(text),
    template: Type.Optional(text)
  },
  { title: 'AgentGateLine' }
)

/** `/preflight`. */
export const preflightOperation = operation({
  id: 'agent.preflight.run',
  method: 'POST',
  path: '/preflight',
  summary:
    'Asks every gate that a send of a template, a flow or a broadcast would meet; sends nothing',
  tool: 'run_preflight',
  agent: true,
  access: access.read,
  effect: 'read',
  body,
  bodyLimit: DOCUMENT_BYTES,
  answer: Type.Object({ ok: flag, gates: Type.Array(line) }),
  errors: refusals.only('flow_not_found', 'broadcast_not_found', 'contact_not_found'),
  async run({ body }, call: Call<AgentHost>) {
    const { contactId, vars } = body
    const subject = await subjectOf(call, body)
    if (!subject.ok) return subject
    let contact: MailContact | undefined
    if (contactId !== undefined) {
      const found = await contactOf(call, contactId)
      if (!found.ok) return found
      contact = found.contact
    }
    const { slugs, lines, ...rest } = subject
    const about = { ...rest, contact, ...(vars !== undefined && { vars }) }
    const asked = await Promise.all([
      entryLines(call, about),
      platformLines(call),
      ...slugs.map((slug) => askGates(call, { ...about, slug }))
    ])
    const gates = [...lines, ...asked.flat()].map(withFix)
    return { ok: gates.every(({ verdict }) => verdict !== 'fail'), gates }
  }
})

/** What the request names: one of a template, a flow, a broadcast. */
async function subjectOf(
  call: Acting,
  { templateSlug, flowSlug, broadcastSlug }: Static<typeof body>
): Promise<Subject | SubjectRefusal> {
  const named = [templateSlug, flowSlug, broadcastSlug].filter((slug) => slug !== undefined)
  if (named.length !== 1)
    return invalid('templateSlug', 'or flowSlug or broadcastSlug must be there, and one alone')
  const plain = { ok: true, flowSlug: null, broadcastSlug: null, count: 1, lines: [] } as const
  if (templateSlug !== undefined) return { ...plain, slugs: [templateSlug] }
  if (flowSlug !== undefined) return flowSubject(call, flowSlug, plain)
  return broadcastSubject(call, String(broadcastSlug), plain)
}

async function flowSubject(
  { host, actor }: Acting,
  slug: string,
  plain: Omit<Subject, 'slugs'>
): Promise<Subject | SubjectRefusal> {
  const flow = await host.workbench.as(actor).flow(slug)
  if (flow === null) return refusals.refuse('flow_not_found')
  const hasSteps = flow.stepCount > 0
  const line: GateLine = hasSteps
    ? { gate: 'flow', verdict: 'pass', reason: `Version ${flow.version} has steps.` }
    : {
        gate: 'flow',
        verdict: 'fail',
        reason: 'No steps are published.',
        fix: 'Publish them first.'
      }
  return { ...plain, flowSlug: slug, slugs: flow.templates, lines: [line] }
}

/** Whether the contact enters the flow: what the flow itself asks. */
async function entryLines(
  { host, actor }: Acting,
  { flowSlug, contact }: Pick<Subject, 'flowSlug'> & { readonly contact: MailContact | undefined }
): Promise<readonly GateLine[]> {
  if (flowSlug === null || contact === undefined) return []
  const simulated = await host.workbench.as(actor).simulate(flowSlug, { contact })
  if (!simulated.ok) return []
  const { reasons, flow } = simulated
  const gate = 'entry'
  if (reasons.length === 0)
    return [{ gate, verdict: 'pass', reason: 'The contact enters the flow.' }]
  // A flow is asked about before it is armed.
  const isOnlyOff = !flow.enabled && reasons.length === 1
  const fix = isOnlyOff
    ? 'Arm it with POST /flows/:slug/arm.'
    : 'Subscribe the contact, or for a test contact use POST /contacts/:externalId/reset.'
  return [{ gate, verdict: isOnlyOff ? 'warn' : 'fail', reason: reasons.join(' '), fix }]
}

async function broadcastSubject(
  { host, actor }: Acting,
  slug: string,
  plain: Omit<Subject, 'slugs'>
): Promise<Subject | SubjectRefusal> {
  const mailer = host.operations.as(actor)
  const params = { slug }
  const detail = await mailer.call('mailer.broadcasts.read', { params })
  if (!detail.ok) return refusalOf(detail)
  const counted = await mailer.call('mailer.broadcasts.countRecipients', { params, body: {} })
  const count = counted.ok ? counted.answer.recipientCount : 0
  const { splitTest, templateSlug } = detail.answer
  const slugs = splitTest?.variants.map((variant) => variant.templateSlug) ?? [templateSlug]
  return { ...plain, broadcastSlug: slug, slugs, count, lines: [budgetLine(counted)] }
}

function budgetLine(counted: MailerResult<'mailer.broadcasts.countRecipients'>): GateLine {
  const gate = 'budget'
  if (!counted.ok) return { gate, verdict: 'fail', reason: `The segment: ${counted.code}.` }
  const { recipientCount, uncappedRecipientCount } = counted.answer
  const reason = `${recipientCount} of ${uncappedRecipientCount} recipients are within the cap.`
  return recipientCount > 0
    ? { gate, verdict: 'pass', reason }
    : { gate, verdict: 'warn', reason, fix: 'Raise recipientCap, or choose another segment.' }
}

/** The circuit breaker, and the setup list: reputation, block lists, domains, workers. */
async function platformLines({ host, actor }: Acting): Promise<readonly GateLine[]> {
  const [health, setup, contributed] = await Promise.all([
    host.health(),
    host.operations.as(actor).call('mailer.setup.read', {}),
    host.workbench.as(actor).contributedChecks()
  ])
  const breaker: GateLine =
    health?.status === 'tripped'
      ? {
          gate: 'breaker',
          verdict: 'fail',
          reason: 'The circuit breaker holds marketing mail.',
          fix: 'An administrator must resume it on the Health page.'
        }
      : {
          gate: 'breaker',
          verdict: health === null ? 'skipped' : 'pass',
          reason: health === null ? 'There is no circuit breaker.' : `Mail is ${health.status}.`
        }
  const reputation = new Set(contributed)
  const checks = setup.ok ? setup.answer.checks : []
  const lines = checks.map(({ name, severity, message, hint, items = [] }): GateLine => {
    const fix = hint ?? items.find((item) => item.hint !== undefined)?.hint
    const verdict = verdictOf(severity, reputation.has(name))
    return { gate: name, verdict, reason: message, ...(fix !== undefined && { fix }) }
  })
  return [breaker, ...lines]
}

/** Every line that asks for work says which. */
function withFix(line: GateLine): GateLine {
  const isDone = line.verdict === 'pass' || line.verdict === 'skipped'
  if (isDone || line.fix !== undefined) return line
  return { ...line, fix: 'Resolve what the reason names; GET /api/setup-status has the details.' }
}

/** What other plugins find is about reputation; what the mailer finds in its own setup holds no mail. */
function verdictOf(severity: SetupSeverity, isReputation: boolean): GateLine['verdict'] {
  if (severity === 'ok') return 'pass'
  return severity === 'error' && isReputation ? 'fail' : 'warn'
}
