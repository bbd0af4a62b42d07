// Preflight: every gate that a real send would meet, asked at once; nothing is sent.
import {
  countBroadcast,
  getFlow,
  readBroadcast,
  readSetupStatus,
  templatesOf,
  templatesOfSteps
} from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import type { SetupSeverity } from '@keelson/sdk/contracts/mailer-setup-check'
import { type Refusal, refused } from '../answers/refusal.ts'
import { flag, text } from '../answers/shapes.ts'
import { askGates, type GateLine } from '../preflight/ask-gates.ts'
import { contactOf } from './contact-guard.ts'
import {
  type AgentContext,
  answer,
  invalid,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

interface Subject {
  readonly ok: true
  readonly slugs: readonly string[]
  readonly flowSlug: string | null
  readonly broadcastSlug: string | null
  readonly count: number
  /** About the flow or the broadcast itself. */
  readonly lines: readonly GateLine[]
}

async function preflight({ agent, body }: OperationCall): Promise<OperationAnswer | Refusal> {
  const { contactId, vars } = body as {
    readonly contactId?: string
    readonly vars?: Readonly<Record<string, unknown>>
  }
  const subject = await subjectOf(agent, body)
  if (!subject.ok) return subject
  let contact: MailContact | undefined
  if (contactId !== undefined) {
    const found = await contactOf(agent, contactId)
    if (!found.ok) return found
    contact = found.contact
  }
  const { slugs, lines, ...rest } = subject
  const about = { ...rest, contact, ...(vars !== undefined && { vars }) }
  const [platform, ...asked] = await Promise.all([
    platformLines(agent),
    ...slugs.map((slug) => askGates(agent, { ...about, slug }))
  ])
  const gates = [...lines, ...platform, ...asked.flat()]
  return answer({ ok: gates.every(({ verdict }) => verdict !== 'fail'), gates })
}

/** What the request names: one of a template, a flow, a broadcast. */
async function subjectOf(
  agent: AgentContext,
  { templateSlug, flowSlug, broadcastSlug }: OperationCall['body']
): Promise<Subject | Refusal> {
  const named = [templateSlug, flowSlug, broadcastSlug].filter((slug) => slug !== undefined)
  if (named.length !== 1)
    return invalid('templateSlug', 'or flowSlug or broadcastSlug must be there, and one alone')
  const plain = { ok: true, flowSlug: null, broadcastSlug: null, count: 1, lines: [] } as const
  if (typeof templateSlug === 'string') return { ...plain, slugs: [templateSlug] }
  if (typeof flowSlug === 'string') return flowSubject(agent, flowSlug, plain)
  return broadcastSubject(agent, String(broadcastSlug), plain)
}

async function flowSubject(agent: AgentContext, slug: string, plain: Omit<Subject, 'slugs'>) {
  const flow = await getFlow(agent.context, slug)
  if (flow === null) return refused('flow_not_found')
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
  agent: AgentContext,
  slug: string,
  plain: Omit<Subject, 'slugs'>
): Promise<Subject | Refusal> {
  const detail = await readBroadcast(agent.context, slug)
  const counted = detail === null ? null : await countBroadcast(agent.context, slug)
  if (detail === null || counted === null) return refused('broadcast_not_found')
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
async function platformLines(agent: AgentContext): Promise<readonly GateLine[]> {
  const [health, setup] = await Promise.all([agent.health(), readSetupStatus(agent.context)])
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
  const reputation = new Set(agent.context.extensions.setupChecks().map(({ name }) => name))
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

const slug = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }))

/** `/preflight`. */
export const preflightOperation: Operation = {
  tool: 'run_preflight',
  method: 'POST',
  path: '/preflight',
  summary:
    'Asks every gate that a send of a template, a flow or a broadcast would meet; sends nothing',
  scope: 'mail:read',
  body: Type.Object(
    {
      templateSlug: slug,
      flowSlug: slug,
      broadcastSlug: slug,
      contactId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      vars: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
    },
    { additionalProperties: false }
  ),
  output: Type.Object({
    ok: flag,
    gates: Type.Array(
      Type.Object({
        gate: text,
        verdict: Type.Enum(['pass', 'warn', 'fail', 'skipped']),
        reason: text
      })
    )
  }),
  run: preflight
}
