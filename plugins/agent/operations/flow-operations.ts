// Flows for agents: arm, disarm, and the canary gate.
import { armFlow, gateFlow, pauseFlow, ungateFlow } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { flag, maybeText, number, text } from '../answers/shapes.ts'
import {
  answer,
  invalid,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

const slugOf = ({ params }: OperationCall) => params['slug'] ?? ''
const refusalOf = ({ code, message }: { readonly code: string; readonly message: string }) =>
  refusedAs(code, message, { status: 409 })

async function arm(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, body, acting } = call
  const slug = slugOf(call)
  if (body['confirm'] !== true) return refused('confirm_required')
  const since = body['since'] === undefined ? undefined : new Date(String(body['since']))
  if (since !== undefined && Number.isNaN(since.getTime()))
    return invalid('since', 'must be a date')
  const by = { actor: acting.actor, ...(since !== undefined && { since }) }
  const result = await armFlow(agent.context, slug, by)
  if (!result.ok) return refusalOf(result)
  const { ok: _ok, ...armed } = result
  return answer({ slug, armed: !armed.alreadyEnabled, ...armed })
}

async function disarm(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, acting } = call
  const slug = slugOf(call)
  const result = await pauseFlow(agent.context, slug, { actor: acting.actor })
  return result.ok ? answer({ slug, disarmed: true }) : refusalOf(result)
}

async function gate(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, body, acting } = call
  const slug = slugOf(call)
  const tag = String(body['tag'])
  const result = await gateFlow(agent.context, slug, { actor: acting.actor, tag })
  if (!result.ok) return refusalOf(result)
  const { version, enabled } = result.flow
  return answer({ slug, version, tag, enabled })
}

async function ungate(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, acting } = call
  const slug = slugOf(call)
  const result = await ungateFlow(agent.context, slug, { actor: acting.actor })
  if (!result.ok) return refusalOf(result)
  const { version, enabled } = result.flow
  return answer({ slug, version, restoredFrom: result.of, enabled })
}

/** Below `/flows`. */
export const flowOperations: readonly Operation[] = [
  {
    tool: 'arm_flow',
    method: 'POST',
    path: '/flows/:slug/arm',
    summary: 'Enables a flow from now on, or since a time: it then mails real contacts',
    scope: 'mail:write',
    output: Type.Object({
      slug: text,
      version: number,
      armed: flag,
      alreadyEnabled: flag,
      watermark: maybeText,
      eventName: maybeText,
      skippedEvents: number,
      pendingEvents: number
    }),
    hints: { idempotent: true, mails: true },
    body: Type.Object(
      {
        confirm: Type.Optional(Type.Boolean()),
        since: Type.Optional(Type.String({ maxLength: 64 }))
      },
      { additionalProperties: false }
    ),
    run: arm
  },
  {
    tool: 'disarm_flow',
    method: 'POST',
    path: '/flows/:slug/disarm',
    summary: 'Stops a flow from starting runs; those under way go on',
    scope: 'mail:write',
    output: Type.Object({ slug: text, disarmed: flag }),
    hints: { idempotent: true },
    run: disarm
  },
  {
    tool: 'gate_flow',
    method: 'POST',
    path: '/flows/:slug/gate',
    summary: 'Publishes a canary version: only contacts with the tag get past its first step',
    scope: 'mail:write',
    output: Type.Object({ slug: text, version: number, tag: text, enabled: flag }),
    body: Type.Object(
      { tag: Type.String({ minLength: 1, maxLength: 128 }) },
      { additionalProperties: false }
    ),
    run: gate
  },
  {
    tool: 'ungate_flow',
    method: 'POST',
    path: '/flows/:slug/ungate',
    summary: 'Publishes the steps without the gate',
    scope: 'mail:write',
    output: Type.Object({ slug: text, version: number, restoredFrom: number, enabled: flag }),
    run: ungate
  }
]
