// Simulation for agents: what a flow would do with one contact.
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import {
  type AgentHost,
  access,
  contactIdInput,
  slugParams,
  timeInput,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import {
  contactReferenceSchema,
  flag,
  flowReferenceSchema,
  integer,
  maybeText,
  text,
  time,
  values
} from '../answers/shapes.ts'
import { contactOf, contactReference } from './contact-guard.ts'
import { invalid, isDate } from './invalid.ts'

const place = { at: time, stepIndex: integer, branchPath: text }

const simulate = operation({
  id: 'agent.flows.simulate',
  method: 'POST',
  path: '/flows/:slug/simulate',
  summary: 'Walks a flow for a contact on a virtual clock; writes and sends nothing',
  tool: 'simulate_flow',
  agent: true,
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: Type.Object(
    {
      contactId: contactIdInput,
      at: Type.Optional(timeInput),
      eventProperties: Type.Optional(valuesInput),
      version: Type.Optional(Type.Integer({ minimum: 1 }))
    },
    closed
  ),
  answer: Type.Object(
    {
      flow: flowReferenceSchema,
      contact: contactReferenceSchema,
      enteredAt: time,
      wouldEnter: Type.Object({ ok: flag, reasons: Type.Array(text) }),
      path: Type.Array(
        Type.Object({ ...place, type: text, outcome: text, detail: Type.Optional(values) })
      ),
      sends: Type.Array(Type.Object({ ...place, templateSlug: text })),
      terminal: Type.Object({ kind: text, reason: maybeText, at: time }),
      durationMs: integer
    },
    { title: 'AgentSimulation' }
  ),
  errors: refusals.only('contact_not_found', 'flow_not_found', 'version_not_found'),
  async run({ params: { slug }, body }, call: Call<AgentHost>) {
    const startedAt = performance.now()
    const { contactId, at, version, eventProperties } = body
    if (at !== undefined && !isDate(at)) return invalid('at', 'must be a date')
    const found = await contactOf(call, contactId)
    if (!found.ok) return found
    const result = await call.host.workbench.as(call.actor).simulate(slug, {
      contact: found.contact,
      ...(at !== undefined && { at: new Date(at) }),
      ...(version !== undefined && { version }),
      ...(eventProperties !== undefined && { eventProperties })
    })
    if (!result.ok) return result
    const { flow, enteredAt, reasons, path, sends, terminal } = result
    return {
      flow,
      contact: contactReference(found.contact),
      enteredAt,
      wouldEnter: { ok: reasons.length === 0, reasons },
      path,
      sends,
      terminal,
      durationMs: Math.round(performance.now() - startedAt)
    }
  }
})

/** Simulation, below `/flows`. */
export const simulateOperations: readonly Operation<AgentHost>[] = [simulate]
