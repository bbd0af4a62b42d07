// Preflight: every gate that a real send would meet, asked at once; nothing is sent.
import {
  countBroadcast,
  getFlow,
  readBroadcast,
  readSetupStatus,
  templatesOf,
  templatesOfSteps
} from '@keelson/mailer'
import type { MailContact, SetupSeverity } from '@keelson/mailer/contracts'
import { type Call, closed, operation, type Refused, type Static, Type } from '@keelson/sdk'
import { refusals } from '../answers/refusals.ts'
import { flag, text } from '../answers/shapes.ts'
import { askGates, type GateLine } from '../preflight/ask-gates.ts'
import {
  type AgentHost,
  access,
  contactIdInput,
  DOCUMENT_BYTES,
  valuesInput
} from './agent-host.ts'
import { contactOf } from './contact-guard.ts'
import { invalid } from './invalid.ts'

type SubjectRefusal = Refused<'validation_failed' | 'flow_not_found' | 'broadcast_not_found'>

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
  async run({ body }, { host }: Call<AgentHost>) {
    const { contactId, vars } = body
    const subject = await subjectOf(host, body)
    if (!subject.ok) return subject
    let contact: MailContact | undefined
    if (contactId !== undefined) {
      const found = await contactOf(host, contactId)
      if (!found.ok) return found
      contact = found.contact
    }
    const { slugs, lines, ...rest } = subject
    const about = { ...rest, contact, ...(vars !== undefined && { vars }) }
    const [platform, ...asked] = await Promise.all([
      platformLines(host),
      ...slugs.map((slug) => askGates(host, { ...about, slug }))
    ])
    const gates = [...lines, ...platform, ...asked.flat()]
    return { ok: gates.every(({ verdict }) => verdict !== 'fail'), gates }
  }
})

/** What the request names: one of a template, a flow, a broadcast. */
async function subjectOf(
  host: AgentHost,
  { templateSlug, flowSlug, broadcastSlug }: Static<typeof body>
): Promise<Subject | SubjectRefusal> {
  const named = [templateSlug, flowSlug, broadcastSlug].filter((slug) => slug !== undefined)
  if (named.length !== 1)
    return invalid('templateSlug', 'or flowSlug or broadcastSlug must be there, and one alone')
  const plain = { ok: true, flowSlug: null, broadcastSlug: null, count: 1, lines: [] } as const
  if (templateSlug !== undefined) return { ...plain, slugs: [templateSlug] }
  if (flowSlug !== undefined) return flowSubject(host, flowSlug, plain)
  return broadcastSubject(host, String(broadcastSlug), plain)
}

async function flowSubject(host: AgentHost, slug: string, plain: Omit<Subject, 'slugs'>) {
  const flow = await getFlow(host.context, slug)
  if (flow === null) return refusals.refuse('flow_not_found')
  const hasSteps = flow.steps.length > 0
  const line: GateLine = hasSteps
    ? { gate: 'flow', verdict: 'pass', reason: `Version ${flow.version} has steps.` }
    : {
        gate: 'flow',
        verdict: 'fail',
        reason: 'No steps are published.',
        fix: 'Publish them first.'
      }
  return { ...plain, flowSlug: slug, slugs: templatesOfSteps(flow.steps), lines: [line] }
}

async function broadcastSubject(
  host: AgentHost,
  slug: string,
  plain: Omit<Subject, 'slugs'>
): Promise<Subject | SubjectRefusal> {
  const detail = await readBroadcast(host.context, slug)
  const counted = detail === null ? null : await countBroadcast(host.context, slug)
  if (detail === null || counted === null) return refusals.refuse('broadcast_not_found')
  const count = counted.ok ? counted.recipientCount : 0
  const slugs = templatesOf(detail.broadcast)
  return { ...plain, broadcastSlug: slug, slugs, count, lines: [budgetLine(counted)] }
}

function budgetLine(counted: Awaited<ReturnType<typeof countBroadcast>>): GateLine {
  const gate = 'budget'
  if (!counted.ok) return { gate, verdict: 'fail', reason: `The segment: ${counted.code}.` }
  const { recipientCount, uncappedRecipientCount } = counted
  const reason = `${recipientCount} of ${uncappedRecipientCount} recipients are within the cap.`
  return recipientCount > 0
    ? { gate, verdict: 'pass', reason }
    : { gate, verdict: 'warn', reason, fix: 'Raise recipientCap, or choose another segment.' }
}

/** The circuit breaker, and the setup list: reputation, block lists, domains, workers. */
async function platformLines(host: AgentHost): Promise<readonly GateLine[]> {
  const [health, setup] = await Promise.all([host.health(), readSetupStatus(host.context)])
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
  const reputation = new Set(host.context.extensions.setupChecks().map(({ name }) => name))
  const lines = setup.checks.map(
    ({ name, severity, message, hint }): GateLine => ({
      gate: name,
      verdict: verdictOf(severity, reputation.has(name)),
      reason: message,
      ...(hint !== undefined && { fix: hint })
    })
  )
  return [breaker, ...lines]
}

/** What other plugins find is about reputation; what the mailer finds in its own setup holds no mail. */
function verdictOf(severity: SetupSeverity, isReputation: boolean): GateLine['verdict'] {
  if (severity === 'ok') return 'pass'
  return severity === 'error' && isReputation ? 'fail' : 'warn'
}
