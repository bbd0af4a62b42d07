// Events and runs for agents: fire for test contacts, list and read runs, end them.
import { advanceRun, listRuns, stopRun } from '@keelson/mailer'
import {
  answered,
  type Call,
  closed,
  KeelsonError,
  type Operation,
  operation,
  Type
} from '@keelson/sdk'
import { type AgentHost, access, contactIdInput, idParams, valuesInput } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import {
  eventSchema,
  flag,
  historyEntrySchema,
  integer,
  runSchema,
  sendSchema
} from '../answers/shapes.ts'
import { historyEntry, runSummary, sendSummary, withId } from '../answers/summaries.ts'
import { isHandedOver } from '../waiting/decide-reached.ts'
import { untilSend } from '../waiting/until-send.ts'
import { TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'

const MOST_RUNS = 200
const MOST_SENDS = 100
const DISPATCH_MS = 20_000

const fire = operation({
  id: 'agent.events.fire',
  method: 'POST',
  path: '/events',
  summary: 'Fires an event for a test contact',
  tool: 'fire_event',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 128 }),
      externalId: contactIdInput,
      properties: Type.Optional(valuesInput),
      dedupeKey: Type.Optional(Type.String({ minLength: 1, maxLength: 512 }))
    },
    closed
  ),
  status: 201,
  answer: Type.Object({ ok: flag, event: Type.Union([eventSchema, Type.Null()]) }),
  errors: refusals.only(...TEST_CONTACT_FAULTS, 'fire_failed'),
  async run({ body }, { host, actor, callKey }: Call<AgentHost>) {
    const { name, externalId, properties, dedupeKey } = body
    const found = await testContactOf(host, externalId)
    if (!found.ok) return found
    const { context, mailer } = host
    // Events of other rules are kept from being recorded twice by their rule.
    const isRepeatable = mailer.events.policyOf(name) === 'every-time'
    const key = dedupeKey ?? (isRepeatable ? callKey : undefined)
    try {
      await context.core.as(actor).fire(name, externalId, properties, key)
    } catch (error) {
      if (!KeelsonError.is(error) || error.status !== 400) throw error
      return refusals.refuse('fire_failed', { message: error.message })
    }
    const newest = { sort: { occurredAt: -1 } } as const
    const event = await context.collections.events.findOne({ externalId, name }, newest)
    return { ok: true, event: event && withId(event) }
  }
})

const list = operation({
  id: 'agent.runs.list',
  method: 'GET',
  path: '/runs',
  summary: 'Runs of flows, newest first',
  tool: 'list_runs',
  agent: true,
  access: access.read,
  effect: 'read',
  query: Type.Object({
    externalId: Type.Optional(Type.String({ maxLength: 256 })),
    flowSlug: Type.Optional(Type.String({ maxLength: 128 })),
    status: Type.Optional(Type.Enum(['active', 'completed', 'exited', 'failed'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 200.' })),
    cursor: Type.Optional(
      Type.String({ maxLength: 600, description: 'nextCursor of an earlier page.' })
    )
  }),
  answer: Type.Array(runSchema),
  async run({ query }, { host }: Call<AgentHost>) {
    const { limit = MOST_RUNS, ...filter } = query
    const page = { ...filter, limit: Math.min(limit, MOST_RUNS) }
    const { rows, nextCursor } = await listRuns(host.context, page)
    return answered(rows.map(runSummary), { nextCursor })
  }
})

const read = operation({
  id: 'agent.runs.read',
  method: 'GET',
  path: '/runs/:id',
  summary: 'A run with its history and its sends',
  tool: 'get_run',
  agent: true,
  access: access.read,
  effect: 'read',
  params: idParams,
  answer: Type.Object({ run: runSchema, sends: Type.Array(sendSchema) }),
  errors: refusals.only('run_not_found'),
  async run({ params: { id } }, { host }: Call<AgentHost>) {
    const { flowRuns, sends } = host.context.collections
    const run = await flowRuns.findOne({ _id: id })
    if (run === null) return refusals.refuse('run_not_found')
    const ofRun = sends.find({ flowRunId: id }).sort({ queuedAt: 1 }).limit(MOST_SENDS)
    return { run: runSummary(run), sends: (await ofRun.toArray()).map(sendSummary) }
  }
})

const advance = operation({
  id: 'agent.runs.advance',
  method: 'POST',
  path: '/runs/:id/advance',
  summary:
    'Takes a run of a test contact some steps further; the wait it is at does not count, and workers leave it alone for 30 s',
  tool: 'advance_run',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true, once: true },
  params: idParams,
  body: Type.Object(
    {
      steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      dispatch: Type.Optional(Type.Boolean())
    },
    closed
  ),
  answer: Type.Object({
    run: runSchema,
    historyAdded: Type.Array(historyEntrySchema),
    sends: Type.Array(sendSchema)
  }),
  errors: refusals.only(...TEST_CONTACT_FAULTS, 'run_not_found', 'run_not_active', 'run_busy'),
  async run({ params: { id }, body: { steps = 1, dispatch = true } }, call: Call<AgentHost>) {
    const { host, actor } = call
    const { flowRuns, sends } = host.context.collections
    const run = await flowRuns.findOne({ _id: id }, { projection: { externalId: 1 } })
    if (run === null) return refusals.refuse('run_not_found')
    const found = await testContactOf(host, run.externalId)
    if (!found.ok) return found
    const before = await sends.distinct('_id', { flowRunId: id })
    const result = await advanceRun(host.context, id, { steps, actor: actor.name })
    if (!result.ok) return runRefusal(result)
    const made = sends.find({ flowRunId: id, _id: { $nin: before } }).limit(MOST_SENDS)
    const shown = (await made.toArray()).map((send) =>
      dispatch ? untilSend(call, send._id, isHandedOver, DISPATCH_MS) : send
    )
    return {
      run: runSummary(result.run),
      historyAdded: result.historyAdded.map(historyEntry),
      sends: (await Promise.all(shown)).filter((send) => send !== null).map(sendSummary)
    }
  }
})

/** What the mailer says about a run, by the words of this API. */
function runRefusal({ code, message }: { readonly code: string; readonly message: string }) {
  if (code === 'not_found') return refusals.refuse('run_not_found', { message })
  return refusals.refuse(code === 'run_busy' ? 'run_busy' : 'run_not_active', { message })
}

const cancel = operation({
  id: 'agent.runs.cancel',
  method: 'POST',
  path: '/runs/:id/cancel',
  summary: 'Ends a run of any contact and cancels its waiting sends',
  tool: 'cancel_run',
  agent: true,
  access: access.write,
  effect: 'stop',
  hints: { destructive: true },
  params: idParams,
  answer: Type.Object({ run: runSchema, cancelledSends: integer }),
  errors: refusals.only('run_not_found', 'run_not_active', 'run_busy'),
  async run({ params: { id } }, { host, actor }: Call<AgentHost>) {
    const result = await stopRun(host.context, id, { actor: actor.name })
    if (!result.ok) return runRefusal(result)
    const run = await host.context.collections.flowRuns.findOne({ _id: id })
    if (run === null) return refusals.refuse('run_not_found')
    return { run: runSummary(run), cancelledSends: result.cancelledSends }
  }
})

/** `/events` and below `/runs`. */
export const runOperations: readonly Operation<AgentHost>[] = [fire, list, read, advance, cancel]
