// A canary: runs a gated flow for test contacts to its end, and says whether it did what the simulation foretold.
import type { FlowAtWork, MailContact } from '@keelson/mailer/contracts'
import { type Call, closed, operation, type Refused, Type } from '@keelson/sdk'
import {
  type Acting,
  type AgentHost,
  access,
  audited,
  contactIdInput,
  slugParams,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { contactReferenceSchema, flag, integer, maybeText, text } from '../answers/shapes.ts'
import { type Lived, type Planned, verdictOf } from '../canary/decide-verdict.ts'
import { isHandedOver } from '../waiting/decide-reached.ts'
import { contactReference, TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'

const DEFAULT_TAG = 'canary'
const STEPS_AT_ONCE = 50
const MOST_ROUNDS = 40
const BUSY_MS = 250
const HAND_OVER_MS = 20_000

const reason = { code: text, message: text }
const run = Type.Object(
  {
    contact: contactReferenceSchema,
    runId: text,
    simulated: Type.Object({
      sends: Type.Array(text),
      terminal: Type.Object({ kind: text, reason: maybeText }),
      reasons: Type.Array(text)
    }),
    actual: Type.Object({
      isNew: flag,
      status: text,
      exitReason: maybeText,
      sends: Type.Array(
        Type.Object({ id: text, templateSlug: text, status: text, reason: maybeText })
      )
    }),
    reasons: Type.Array(Type.Object({ contact: contactReferenceSchema, ...reason }))
  },
  { title: 'AgentCanaryRun' }
)
const GATE_FAULTS = [
  'not_found',
  'no_live_steps',
  'already_gated',
  'not_gated',
  'conflict'
] as const
type GateFault = (typeof GATE_FAULTS)[number]

const canary = operation({
  id: 'agent.flows.runCanary',
  method: 'POST',
  path: '/flows/:slug/canary',
  summary:
    'Gates a flow that is off, runs it to its end for test contacts, and says whether it is safe and why',
  tool: 'run_canary',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true, long: true },
  params: slugParams,
  body: Type.Object(
    {
      contactIds: Type.Array(contactIdInput, { minItems: 1, maxItems: 10, uniqueItems: true }),
      tag: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      eventProperties: Type.Optional(valuesInput)
    },
    closed
  ),
  answer: Type.Object({
    slug: text,
    version: integer,
    tag: text,
    gated: flag,
    verdict: Type.Enum(['safe', 'unsafe']),
    reasons: Type.Array(Type.Object({ contact: contactReferenceSchema, ...reason })),
    contacts: Type.Array(run),
    next: text
  }),
  errors: refusals.only(...TEST_CONTACT_FAULTS, ...GATE_FAULTS, 'flow_not_found', 'flow_is_on'),
  async run({ params: { slug }, body }, call: Call<AgentHost>) {
    const { host, actor, callKey, progress } = call
    const contacts: MailContact[] = []
    for (const contactId of body.contactIds) {
      const found = await testContactOf(call, contactId)
      if (!found.ok) return found
      contacts.push(found.contact)
    }
    const gated = await gatedFlow(call, slug, body.tag)
    if ('ok' in gated) return gated
    const { flow, tag } = gated
    const work = host.workbench.as(actor)
    const { eventProperties } = body
    const results = []
    for (const [index, contact] of contacts.entries()) {
      progress(index, contacts.length, `Contact ${index + 1} of ${contacts.length}.`)
      await work.changeTags(contact.externalId, { add: [tag], remove: [] })
      const properties = eventProperties === undefined ? {} : { eventProperties }
      const key = callKey === undefined ? {} : { key: `${callKey}:${contact.externalId}` }
      results.push(await runOne(call, flow, { contact, started: { ...properties, ...key } }))
    }
    const reasons = results.flatMap(({ reasons }) => reasons)
    return {
      slug,
      version: flow.version,
      tag,
      gated: true,
      verdict: reasons.length === 0 ? ('safe' as const) : ('unsafe' as const),
      reasons,
      contacts: results,
      next:
        reasons.length === 0
          ? `POST /flows/${slug}/ungate, then POST /flows/${slug}/arm with {"confirm": true}.`
          : 'Correct what the reasons name, reset the contacts, then run the canary again.'
    }
  }
})

/** Below `/flows`. */
export const canaryOperation = audited('agent.canary', canary)

/** The flow behind its gate. One that is on without a gate stays as it is: its contacts would leave at the gate. */
async function gatedFlow(
  { host, actor }: Acting,
  slug: string,
  wanted: string | undefined
): Promise<
  | { readonly flow: FlowAtWork; readonly tag: string }
  | Refused<'flow_not_found' | 'flow_is_on' | 'forbidden' | 'validation_failed' | GateFault>
> {
  const work = host.workbench.as(actor)
  const flow = await work.flow(slug)
  if (flow === null) return refusals.refuse('flow_not_found')
  const { gateTag } = flow
  if (gateTag !== null) {
    if (wanted !== undefined && wanted !== gateTag) return refusals.refuse('already_gated')
    return { flow, tag: gateTag }
  }
  if (flow.enabled) return refusals.refuse('flow_is_on')
  const tag = wanted ?? DEFAULT_TAG
  const input = { params: { slug }, body: { tag } }
  const result = await host.operations.as(actor).call('mailer.flows.gate', input)
  if (!result.ok) {
    const { code } = result
    return { ...result, code: code === 'bad_id' ? 'not_found' : code }
  }
  const gated = await work.flow(slug)
  return gated === null ? refusals.refuse('flow_not_found') : { flow: gated, tag }
}

interface One {
  readonly contact: MailContact
  readonly started: {
    readonly eventProperties?: Readonly<Record<string, unknown>>
    readonly key?: string
  }
}

/** Codes of a flow that is off, as it is before its canary. */
const OFF = ['disabled', 'not_published']

async function runOne(call: Call<AgentHost>, flow: FlowAtWork, { contact, started }: One) {
  const work = call.host.workbench.as(call.actor)
  const reference = contactReference(contact)
  const found = await work.contact(contact.externalId)
  const { eventProperties } = started
  const simulation = await work.simulate(flow.slug, {
    contact: found ?? contact,
    ...(eventProperties !== undefined && { eventProperties })
  })
  const planned: Planned = simulation.ok
    ? {
        sends: simulation.sends.map(({ templateSlug }) => templateSlug),
        terminal: simulation.terminal,
        // A canary runs before the flow is on.
        reasons: simulation.reasons.filter(
          (_, at) => !OFF.includes(simulation.reasonCodes[at] ?? '')
        )
      }
    : { sends: [], terminal: { kind: 'truncated', reason: null }, reasons: [simulation.code] }
  const { runId, isNew } = await flow.start(contact, started)
  const lived: Lived = isNew
    ? await toItsEnd(call, runId)
    : { isNew, status: 'active', exitReason: null, sends: [] }
  const reasons = verdictOf(planned, lived).map((reason) => ({ contact: reference, ...reason }))
  return { contact: reference, runId, simulated: planned, actual: lived, reasons }
}

async function toItsEnd(call: Call<AgentHost>, runId: string): Promise<Lived> {
  const { signal } = call
  const work = call.host.workbench.as(call.actor)
  for (let round = 0; round < MOST_ROUNDS && !signal.aborted; round++) {
    const result = await work.advanceRun(runId, STEPS_AT_ONCE)
    if (result.ok && result.run.status !== 'active') break
    if (result.ok) continue
    if (result.code !== 'run_busy') break
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
  }
  const run = await work.run(runId)
  const waiting = { timeoutMs: HAND_OVER_MS, signal }
  const mails = await Promise.all(
    (await work.mailsOfRun(runId)).map(
      async (mail) => (await work.mailWhen(mail.id, isHandedOver, waiting)) ?? mail
    )
  )
  return {
    isNew: true,
    status: run?.status ?? 'failed',
    exitReason: run?.exitReason ?? null,
    sends: mails.map(({ id, templateSlug, status, exitReason, errorMessage }) => ({
      id,
      templateSlug,
      status,
      reason: errorMessage ?? exitReason
    }))
  }
}
