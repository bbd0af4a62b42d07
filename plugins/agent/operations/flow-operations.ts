// Flows for agents: arm, disarm, and the canary gate.
import { type Call, closed, type Operation, operation, type Refused, Type } from '@keelson/sdk'
import { type AgentHost, access, slugParams, timeInput } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, integer, maybeText, maybeTime, text } from '../answers/shapes.ts'
import { invalid, isDate } from './invalid.ts'

const FLOW_FAULTS = ['not_found', 'no_live_steps', 'conflict', 'draft_conflict'] as const
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
    const result = await host.operations.as(actor).call('mailer.flows.arm', {
      params: { slug },
      body: since === undefined ? {} : { since: new Date(since).toISOString() }
    })
    if (!result.ok) return refusalOf(result)
    const { alreadyEnabled } = result.answer
    return { slug, armed: !alreadyEnabled, ...result.answer }
  }
})

/** A slug that no flow can have is one that no flow has. */
function refusalOf<Word extends string>({
  code,
  ...refused
}: Refused<Word | 'bad_id'>): Refused<Exclude<Word, 'bad_id'> | 'not_found'> {
  return { ...refused, code: code === 'bad_id' ? 'not_found' : (code as Exclude<Word, 'bad_id'>) }
}

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
    const mailer = host.operations.as(actor)
    const result = await mailer.call('mailer.flows.pause', { params: { slug } })
    return result.ok ? { slug, disarmed: true } : refusalOf(result)
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
    const mailer = host.operations.as(actor)
    const result = await mailer.call('mailer.flows.gate', { params: { slug }, body: { tag } })
    if (!result.ok) return refusalOf(result)
    const { version, enabled } = result.answer
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
    const mailer = host.operations.as(actor)
    const result = await mailer.call('mailer.flows.ungate', { params: { slug } })
    if (!result.ok) return refusalOf(result)
    const { version, enabled, of: restoredFrom } = result.answer
    return { slug, version, restoredFrom, enabled }
  }
})

/** Below `/flows`. */
export const flowOperations: readonly Operation<AgentHost>[] = [arm, disarm, gate, ungate]
