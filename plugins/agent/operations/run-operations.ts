// Events and runs for agents: fire for test contacts, list and read runs, end them.
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
import { isHandedOver } from '../waiting/decide-reached.ts'
import { TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'

const MOST_RUNS = 200
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
  async run({ body }, call: Call<AgentHost>) {
    const { host, actor, callKey } = call
    const found = await testContactOf(call, body.externalId)
    if (!found.ok) return found
    try {
      const fired = { ...body, ...(callKey !== undefined && { callKey }) }
      return { ok: true, event: await host.workbench.as(actor).fire(fired) }
    } catch (error) {
      if (!KeelsonError.is(error) || error.status !== 400) throw error
      return refusals.refuse('fire_failed', { message: error.message })
    }
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
  async run({ query }, { host, actor }: Call<AgentHost>) {
    const { limit = MOST_RUNS, ...filter } = query
    const page = { ...filter, limit: Math.min(limit, MOST_RUNS) }
    const { rows, nextCursor } = await host.workbench.as(actor).runs(page)
    return answered(rows, { nextCursor })
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
  async run({ params: { id } }, { host, actor }: Call<AgentHost>) {
    const work = host.workbench.as(actor)
    const run = await work.run(id)
    return run === null
      ? refusals.refuse('run_not_found')
      : { run, sends: await work.mailsOfRun(id) }
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
    const { host, actor, signal } = call
    const work = host.workbench.as(actor)
    const run = await work.run(id)
    if (run === null) return refusals.refuse('run_not_found')
    const found = await testContactOf(call, run.externalId)
    if (!found.ok) return found
    const result = await work.advanceRun(id, steps)
    if (!result.ok) return result
    const waiting = { timeoutMs: DISPATCH_MS, signal }
    const shown = result.mails.map((mail) =>
      dispatch ? work.mailWhen(mail.id, isHandedOver, waiting) : mail
    )
    return {
      run: result.run,
      historyAdded: result.historyAdded,
      sends: (await Promise.all(shown)).filter((send) => send !== null)
    }
  }
})

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
    const input = { params: { id }, body: {} }
    const result = await host.operations.as(actor).call('mailer.flowRuns.stop', input)
    if (!result.ok) {
      const { code, message = '' } = result
      return code === 'run_not_active' || code === 'forbidden' || code === 'validation_failed'
        ? { ...result, code }
        : refusals.refuse('run_not_found', { message })
    }
    const run = await host.workbench.as(actor).run(id)
    if (run === null) return refusals.refuse('run_not_found')
    return { run, cancelledSends: result.answer.cancelledSends }
  }
})

/** `/events` and below `/runs`. */
export const runOperations: readonly Operation<AgentHost>[] = [fire, list, read, advance, cancel]
