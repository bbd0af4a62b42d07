// Simulation for agents: what a flow would do with one contact.
import { simulateFlow } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { type Refusal, refused } from '../answers/refusal.ts'
import { contactReferenceShape, list, number, object, text } from '../answers/shapes.ts'
import { contactOf, contactReference } from './contact-guard.ts'
import {
  answer,
  invalid,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

async function simulate({
  agent,
  params,
  body
}: OperationCall): Promise<OperationAnswer | Refusal> {
  const startedAt = performance.now()
  const { contactId, at, version, eventProperties } = body as {
    readonly contactId: string
    readonly at?: string
    readonly version?: number
    readonly eventProperties?: Readonly<Record<string, unknown>>
  }
  const time = at === undefined ? undefined : new Date(at)
  if (time !== undefined && Number.isNaN(time.getTime())) return invalid('at', 'must be a date')
  const found = await contactOf(agent, contactId)
  if (!found.ok) return found
  const result = await simulateFlow(agent.context, params['slug'] ?? '', {
    contact: found.contact,
    ...(time !== undefined && { at: time }),
    ...(version !== undefined && { version }),
    ...(eventProperties !== undefined && { eventProperties })
  })
  if (!result.ok) return refused(result.error)
  const { flow, enteredAt, reasons, path, sends, terminal } = result
  return answer({
    flow: { slug: flow.slug, version: result.version, enabled: flow.enabled },
    contact: contactReference(found.contact),
    enteredAt,
    wouldEnter: { ok: reasons.length === 0, reasons },
    ...{ path, sends, terminal },
    durationMs: Math.round(performance.now() - startedAt)
  })
}

/** Simulation, below `/flows`. */
export const simulateOperations: readonly Operation[] = [
  {
    tool: 'simulate_flow',
    method: 'POST',
    path: '/flows/:slug/simulate',
    summary: 'Walks a flow for a contact on a virtual clock; writes and sends nothing',
    scope: 'mail:read',
    output: Type.Object({
      flow: object,
      contact: contactReferenceShape,
      enteredAt: text,
      wouldEnter: object,
      path: list,
      sends: list,
      terminal: object,
      durationMs: number
    }),
    body: Type.Object(
      {
        contactId: Type.String({ minLength: 1, maxLength: 256 }),
        at: Type.Optional(Type.String({ maxLength: 64 })),
        eventProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        version: Type.Optional(Type.Integer({ minimum: 1 }))
      },
      { additionalProperties: false }
    ),
    run: simulate
  }
]
