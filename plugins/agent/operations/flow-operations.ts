// Flows for agents: arm, disarm, and the canary gate.
import { actingOf, armFlow, gateFlow, pauseFlow, ungateFlow } from '@keelson/mailer'
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access, slugParams, timeInput } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, integer, maybeText, maybeTime, text } from '../answers/shapes.ts'
import { invalid, isDate } from './invalid.ts'

/** What the mailer refuses a change of a flow with. */
const FLOW_FAULTS = [
  'not_found',
  'version_not_found',
  'slug_taken',
  'empty_flow',
  'invalid_steps',
  'no_live_steps',
  'has_runs',
  'conflict',
  'draft_conflict',
  'run_not_active',
  'run_busy'
] as const
const GATE_FAULTS = [
  'not_found',
  'no_live_steps',
  'already_gated',
  'not_gated',
  'conflict'
] as const

const arm = operation({
  id: 'agent.flows.arm',
  method: 'POST',
  path: '/flows/:slug/arm',
  summary: 'Enables a flow from now on, or since a time: it then mails real contacts',
  tool: 'arm_flow',
  agent: true,
  access: access.write,
  effect: 'release',
  hints: { idempotent: true, mails: true },
  params: slugParams,
  body: Type.Object(
    { confirm: Type.Optional(Type.Boolean()), since: Type.Optional(timeInput) },
    closed
  ),
  answer: Type.Object({
    slug: text,
    version: integer,
    armed: flag,
    alreadyEnabled: flag,
    watermark: maybeTime,
    eventName: maybeText,
    skippedEvents: integer,
    pendingEvents: integer
  }),
  errors: refusals.only('confirm_required', ...FLOW_FAULTS),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const { confirm, since } = body
    if (confirm !== true) return refusals.refuse('confirm_required')
    if (since !== undefined && !isDate(since)) return invalid('since', 'must be a date')
    const by = { ...actingOf(actor), ...(since !== undefined && { since: new Date(since) }) }
    const result = await armFlow(host.context, slug, by)
    return result.ok ? { slug, armed: !result.alreadyEnabled, ...result } : result
  }
})

const disarm = operation({
  id: 'agent.flows.disarm',
  method: 'POST',
  path: '/flows/:slug/disarm',
  summary: 'Stops a flow from starting runs; those under way go on',
  tool: 'disarm_flow',
  agent: true,
  access: access.write,
  effect: 'stop',
  hints: { idempotent: true },
  params: slugParams,
  answer: Type.Object({ slug: text, disarmed: flag }),
  errors: refusals.only(...FLOW_FAULTS),
  async run({ params: { slug } }, { host, actor }: Call<AgentHost>) {
    const result = await pauseFlow(host.context, slug, { actor: actor.name })
    return result.ok ? { slug, disarmed: true } : result
  }
})

const gate = operation({
  id: 'agent.flows.gate',
  method: 'POST',
  path: '/flows/:slug/gate',
  summary: 'Publishes a canary version: only contacts with the tag get past its first step',
  tool: 'gate_flow',
  agent: true,
  access: access.write,
  effect: 'stop',
  params: slugParams,
  body: Type.Object({ tag: Type.String({ minLength: 1, maxLength: 128 }) }, closed),
  answer: Type.Object({ slug: text, version: integer, tag: text, enabled: flag }),
  errors: refusals.only(...GATE_FAULTS),
  async run({ params: { slug }, body: { tag } }, { host, actor }: Call<AgentHost>) {
    const result = await gateFlow(host.context, slug, { actor: actor.name, tag })
    if (!result.ok) return result
    const { version, enabled } = result.flow
    return { slug, version, tag, enabled }
  }
})

const ungate = operation({
  id: 'agent.flows.ungate',
  method: 'POST',
  path: '/flows/:slug/ungate',
  summary: 'Publishes the steps without the gate',
  tool: 'ungate_flow',
  agent: true,
  access: access.write,
  effect: 'release',
  params: slugParams,
  answer: Type.Object({ slug: text, version: integer, restoredFrom: integer, enabled: flag }),
  errors: refusals.only(...GATE_FAULTS),
  async run({ params: { slug } }, { host, actor }: Call<AgentHost>) {
    const result = await ungateFlow(host.context, slug, { actor: actor.name })
    if (!result.ok) return result
    const { version, enabled } = result.flow
    return { slug, version, restoredFrom: result.of, enabled }
  }
})

/** Below `/flows`. */
export const flowOperations: readonly Operation<AgentHost>[] = [arm, disarm, gate, ungate]
