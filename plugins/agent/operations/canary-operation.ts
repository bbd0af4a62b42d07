// A canary: runs a gated flow for test contacts to its end, and says whether it did what the simulation foretold.
import {
  advanceRun,
  changeTags,
  type FlowRow,
  type FlowRunRow,
  gateFlow,
  getFlow,
  simulateFlow,
  startRun
} from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { flag, list, number, text } from '../answers/shapes.ts'
import { type Lived, type Planned, verdictOf } from '../canary/decide-verdict.ts'
import { isHandedOver } from '../waiting/decide-reached.ts'
import { untilSend } from '../waiting/until-send.ts'
import { contactReference, testContactOf } from './contact-guard.ts'
import {
  type AgentContext,
  answer,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

const DEFAULT_TAG = 'canary'
const STEPS_AT_ONCE = 50
const MOST_ROUNDS = 40
const BUSY_MS = 250
const HAND_OVER_MS = 20_000

async function canary(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, params, body, acting, progress } = call
  const slug = params['slug'] ?? ''
  const { contactIds, eventProperties } = body as {
    readonly contactIds: readonly string[]
    readonly eventProperties?: Readonly<Record<string, unknown>>
  }
  const contacts: MailContact[] = []
  for (const contactId of contactIds) {
    const found = await testContactOf(agent, contactId)
    if (!found.ok) return found
    contacts.push(found.contact)
  }
  const gated = await gatedFlow(agent, slug, { tag: body['tag'] as string | undefined, ...acting })
  if ('ok' in gated) return gated
  const { flow, tag } = gated
  const results = []
  for (const [index, contact] of contacts.entries()) {
    progress?.(index, contacts.length, `Contact ${index + 1} of ${contacts.length}.`)
    await changeTags(agent.context, contact.externalId, { add: [tag], remove: [] })
    const properties = eventProperties === undefined ? {} : { eventProperties }
    const key = call.callKey === undefined ? {} : { key: `${call.callKey}:${contact.externalId}` }
    const started = { ...properties, ...key }
    results.push(await runOne(agent, flow, { contact, actor: acting.actor, started }))
  }
  const reasons = results.flatMap(({ reasons }) => reasons)
  return answer({
    ...{ slug, version: flow.version, tag, gated: true },
    verdict: reasons.length === 0 ? 'safe' : 'unsafe',
    reasons,
    contacts: results,
    next:
      reasons.length === 0
        ? `POST /flows/${slug}/ungate, then POST /flows/${slug}/arm with {"confirm": true}.`
        : 'Correct what the reasons name, reset the contacts, then run the canary again.'
  })
}

/** The flow behind its gate. One that is on without a gate stays as it is: its contacts would leave at the gate. */
async function gatedFlow(
  agent: AgentContext,
  slug: string,
  { tag, actor }: { readonly tag: string | undefined; readonly actor: string }
): Promise<{ readonly flow: FlowRow; readonly tag: string } | Refusal> {
  const flow = await getFlow(agent.context, slug)
  if (flow === null) return refused('flow_not_found')
  if (flow.gate) {
    if (tag !== undefined && tag !== flow.gate.tag) return refused('already_gated')
    return { flow, tag: flow.gate.tag }
  }
  if (flow.enabled) return refused('flow_is_on')
  const wanted = tag ?? DEFAULT_TAG
  const result = await gateFlow(agent.context, slug, { actor, tag: wanted })
  return result.ok
    ? { flow: result.flow, tag: wanted }
    : refusedAs(result.code, result.message, { status: 409 })
}

interface One {
  readonly contact: MailContact
  readonly actor: string
  readonly started: {
    readonly eventProperties?: Readonly<Record<string, unknown>>
    readonly key?: string
  }
}

async function runOne(agent: AgentContext, flow: FlowRow, { contact, actor, started }: One) {
  const { context } = agent
  const reference = contactReference(contact)
  const found = await context.adapter.getById(contact.externalId)
  const simulation = await simulateFlow(context, flow.slug, {
    contact: found ?? contact,
    ...started
  })
  const planned: Planned = simulation.ok
    ? {
        sends: simulation.sends.map(({ templateSlug }) => templateSlug),
        terminal: simulation.terminal,
        // A canary runs before the flow is on.
        reasons: simulation.reasons.filter((reason) => reason !== 'The flow is disabled.')
      }
    : { sends: [], terminal: { kind: 'truncated', reason: null }, reasons: [simulation.error] }
  const { runId, isNew } = await startRun(context, flow, { contact, ...started })
  const lived: Lived = isNew
    ? await toItsEnd(agent, runId, actor)
    : { isNew, status: 'active', exitReason: null, sends: [] }
  const reasons = verdictOf(planned, lived).map((reason) => ({ contact: reference, ...reason }))
  return { contact: reference, runId, simulated: planned, actual: lived, reasons }
}

async function toItsEnd(agent: AgentContext, runId: string, actor: string): Promise<Lived> {
  const { collections } = agent.context
  for (let round = 0; round < MOST_ROUNDS && !agent.signal.aborted; round++) {
    const result = await advanceRun(agent.context, runId, { steps: STEPS_AT_ONCE, actor })
    if (result.ok && result.run.status !== 'active') break
    if (result.ok) continue
    if (result.code !== 'run_busy') break
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
  }
  const run: FlowRunRow | null = await collections.flowRuns.findOne({ _id: runId })
  const rows = await collections.sends.find({ flowRunId: runId }).sort({ queuedAt: 1 }).toArray()
  const sends = await Promise.all(
    rows.map(async (row) => (await untilSend(agent, row._id, isHandedOver, HAND_OVER_MS)) ?? row)
  )
  return {
    isNew: true,
    status: run?.status ?? 'failed',
    exitReason: run?.exitReason ?? null,
    sends: sends.map(({ _id: id, templateSlug, status, exitReason, errorMessage }) => ({
      ...{ id, templateSlug, status },
      reason: errorMessage ?? exitReason ?? null
    }))
  }
}

/** Below `/flows`. */
export const canaryOperation: Operation = {
  tool: 'run_canary',
  method: 'POST',
  path: '/flows/:slug/canary',
  summary:
    'Gates a flow that is off, runs it to its end for test contacts, and says whether it is safe and why',
  scope: 'mail:write',
  testContactsOnly: true,
  isLong: true,
  hints: { mails: true },
  audit: 'agent.canary',
  body: Type.Object(
    {
      contactIds: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true
      }),
      tag: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      eventProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
    },
    { additionalProperties: false }
  ),
  output: Type.Object({
    slug: text,
    version: number,
    tag: text,
    gated: flag,
    verdict: Type.Enum(['safe', 'unsafe']),
    reasons: list,
    contacts: list,
    next: text
  }),
  run: canary
}
