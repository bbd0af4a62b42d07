// Switching a flow on in the admin API, from a moment on, and the gate that lets only some contacts into it.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { armFlow } from '../campaigns/flows/arm-flow.ts'
import { gateFlow, ungateFlow } from '../campaigns/flows/gate-flow.ts'
import { actingOf } from '../ledger/acting.ts'
import { inputs } from '../ledger/checked-input.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, closed, MAIL_API, slugParams, time } from './admin-operation.ts'

const base = MAIL_API
const SLUG = '/flows/:slug'
const GATE_FAULTS = [
  'not_found',
  'no_live_steps',
  'already_gated',
  'not_gated',
  'conflict'
] as const
const maybe = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])
const gatedSchema = Type.Object(
  {
    version: Type.Integer(),
    enabled: Type.Boolean(),
    of: Type.Integer({ description: 'The version whose steps it has.' })
  },
  { title: 'FlowGated' }
)
const gated = (flow: { readonly version: number; readonly enabled: boolean }, of: number) => ({
  version: flow.version,
  enabled: flow.enabled,
  of
})

const arm = operation({
  id: 'mailer.flows.arm',
  method: 'POST',
  base,
  path: `${SLUG}/arm`,
  summary: 'Switches a flow on from now on, or since a time; what happened before starts no runs',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true, mails: true },
  params: slugParams,
  body: Type.Object(
    {
      since: Type.Optional(
        Type.String({ maxLength: 64, format: 'date-time', description: 'Default: now.' })
      )
    },
    closed
  ),
  answer: Type.Object(
    {
      version: Type.Integer(),
      alreadyEnabled: Type.Boolean(),
      watermark: time,
      eventName: maybe(Type.String({ description: 'Of a trigger by event.' })),
      skippedEvents: Type.Integer(),
      pendingEvents: Type.Integer()
    },
    { title: 'FlowArmed' }
  ),
  errors: refusals.only('bad_id', 'not_found', 'no_live_steps', 'conflict', 'draft_conflict'),
  async run({ params: { slug }, body: { since } }, { host, actor }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...(since !== undefined && { since: new Date(since) }) }
    return armFlow(host.context, slug, by)
  }
})

const gate = operation({
  id: 'mailer.flows.gate',
  method: 'POST',
  base,
  path: `${SLUG}/gate`,
  summary: 'Publishes a version whose first step lets only contacts with a tag pass',
  access: access.publish,
  effect: 'stop',
  params: slugParams,
  body: Type.Object({ tag: inputs.tag }, closed),
  answer: gatedSchema,
  errors: refusals.only('bad_id', ...GATE_FAULTS),
  async run({ params: { slug }, body: { tag } }, { host, actor }: Call<AdminHost>) {
    const result = await gateFlow(host.context, slug, { ...actingOf(actor), tag })
    return result.ok ? gated(result.flow, result.of) : result
  }
})

const ungate = operation({
  id: 'mailer.flows.ungate',
  method: 'POST',
  base,
  path: `${SLUG}/ungate`,
  summary: 'Publishes the steps of a flow without its gate',
  access: access.publish,
  effect: 'release',
  params: slugParams,
  answer: gatedSchema,
  errors: refusals.only('bad_id', ...GATE_FAULTS),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const result = await ungateFlow(host.context, slug, actingOf(actor))
    return result.ok ? gated(result.flow, result.of) : result
  }
})

/** Arming and gating. */
export const flowArmingOperations: readonly Operation<AdminHost>[] = [arm, gate, ungate]
