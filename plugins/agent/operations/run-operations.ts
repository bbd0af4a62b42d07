// Events and runs for agents: fire for test contacts, list and read runs, end them.
import { advanceRun, listRuns, stopRun } from '@keelson/mailer'
import { KeelsonError, Type } from '@keelson/sdk'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { flag, number, object, runShape, sendShape } from '../answers/shapes.ts'
import { historyEntry, runSummary, sendSummary } from '../answers/summaries.ts'
import { isHandedOver } from '../waiting/decide-reached.ts'
import { untilSend } from '../waiting/until-send.ts'
import { testContactOf } from './contact-guard.ts'
import { answer, type Operation, type OperationAnswer, type OperationCall } from './operation.ts'

const MOST_RUNS = 200
const MOST_SENDS = 100

async function fireEvent(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, body } = call
  const { name, externalId, properties, dedupeKey } = body as {
    readonly name: string
    readonly externalId: string
    readonly properties?: Readonly<Record<string, unknown>>
    readonly dedupeKey?: string
  }
  const found = await testContactOf(agent, externalId)
  if (!found.ok) return found
  const { context, mailer } = agent
  // Events of other rules are kept from being recorded twice by their rule.
  const isRepeatable = mailer.events.policyOf(name) === 'every-time'
  const key = dedupeKey ?? (isRepeatable ? call.callKey : undefined)
  try {
    await context.core.fire(name, externalId, properties, key)
  } catch (error) {
    if (!KeelsonError.is(error) || error.status !== 400) throw error
    return refused('fire_failed', { message: error.message })
  }
  const event = await context.collections.events.findOne(
    { externalId, name },
    { sort: { occurredAt: -1 } }
  )
  return answer({ ok: true, event }, 201)
}

async function list({ agent, query }: OperationCall): Promise<OperationAnswer> {
  const { limit, ...filter } = query as Readonly<Record<string, string>> & { limit?: number }
  const most = Math.min(limit ?? MOST_RUNS, MOST_RUNS)
  const runs = await listRuns(agent.context, { ...filter, limit: most })
  const { nextCursor } = runs
  const listed = answer(runs.rows.map(runSummary))
  return nextCursor === undefined ? listed : { ...listed, nextCursor }
}

async function read({ agent, params }: OperationCall): Promise<OperationAnswer | Refusal> {
  const { flowRuns, sends } = agent.context.collections
  const run = await flowRuns.findOne({ _id: params['id'] ?? '' })
  if (run === null) return refused('run_not_found')
  const found = await sends
    .find({ flowRunId: run._id })
    .sort({ queuedAt: 1 })
    .limit(MOST_SENDS)
    .toArray()
  return answer({ run: runSummary(run), sends: found.map(sendSummary) })
}

async function cancel({
  agent,
  params,
  acting
}: OperationCall): Promise<OperationAnswer | Refusal> {
  const id = params['id'] ?? ''
  const result = await stopRun(agent.context, id, { actor: acting.actor })
  if (!result.ok) return refused(result.code === 'not_found' ? 'run_not_found' : 'run_not_active')
  const run = await agent.context.collections.flowRuns.findOne({ _id: id })
  if (run === null) return refused('run_not_found')
  return answer({ run: runSummary(run), cancelledSends: result.cancelledSends })
}

const DISPATCH_MS = 20_000

async function advance(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, params, body, acting } = call
  const id = params['id'] ?? ''
  const { flowRuns, sends } = agent.context.collections
  const run = await flowRuns.findOne({ _id: id }, { projection: { externalId: 1 } })
  if (run === null) return refused('run_not_found')
  const found = await testContactOf(agent, run.externalId)
  if (!found.ok) return found
  const steps = Number(body['steps'] ?? 1)
  const before = await sends.distinct('_id', { flowRunId: id })
  const result = await advanceRun(agent.context, id, { steps, actor: acting.actor })
  if (!result.ok) return refusedAs(result.code, result.message, { status: 409 })
  const made = await sends
    .find({ flowRunId: id, _id: { $nin: before } })
    .limit(MOST_SENDS)
    .toArray()
  const isNow = body['dispatch'] !== false
  const shown = await Promise.all(
    made.map((send) =>
      isNow ? untilSend(agent, send._id, isHandedOver, DISPATCH_MS) : Promise.resolve(send)
    )
  )
  return answer({
    run: runSummary(result.run),
    historyAdded: result.historyAdded.map(historyEntry),
    sends: shown.filter((send) => send !== null).map(sendSummary)
  })
}

/** `/events` and below `/runs`. */
export const runOperations: readonly Operation[] = [
  {
    tool: 'fire_event',
    method: 'POST',
    path: '/events',
    summary: 'Fires an event for a test contact',
    scope: 'mail:write',
    output: Type.Object({ ok: flag, event: object }),
    hints: { mails: true },
    testContactsOnly: true,
    audit: 'agent.fire',
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 128 }),
        externalId: Type.String({ minLength: 1, maxLength: 256 }),
        properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        dedupeKey: Type.Optional(Type.String({ minLength: 1, maxLength: 512 }))
      },
      { additionalProperties: false }
    ),
    run: fireEvent
  },
  {
    tool: 'list_runs',
    method: 'GET',
    path: '/runs',
    summary: 'Runs of flows, newest first',
    scope: 'mail:read',
    output: Type.Array(runShape),
    query: Type.Object({
      externalId: Type.Optional(Type.String({ maxLength: 256 })),
      flowSlug: Type.Optional(Type.String({ maxLength: 128 })),
      status: Type.Optional(Type.Enum(['active', 'completed', 'exited', 'failed'])),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 200.' })),
      cursor: Type.Optional(
        Type.String({ maxLength: 600, description: 'nextCursor of an earlier page.' })
      )
    }),
    run: list
  },
  {
    tool: 'get_run',
    method: 'GET',
    path: '/runs/:id',
    summary: 'A run with its history and its sends',
    scope: 'mail:read',
    output: Type.Object({ run: runShape, sends: Type.Array(sendShape) }),
    run: read
  },
  {
    tool: 'advance_run',
    method: 'POST',
    path: '/runs/:id/advance',
    summary: 'Takes a run of a test contact some steps further; the wait it is at does not count',
    scope: 'mail:write',
    onceOnly: true,
    output: Type.Object({ run: runShape, historyAdded: list, sends: Type.Array(sendShape) }),
    hints: { mails: true },
    testContactsOnly: true,
    body: Type.Object(
      {
        steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
        dispatch: Type.Optional(Type.Boolean())
      },
      { additionalProperties: false }
    ),
    run: advance
  },
  {
    tool: 'cancel_run',
    method: 'POST',
    path: '/runs/:id/cancel',
    summary: 'Ends a run of any contact and cancels its waiting sends',
    scope: 'mail:write',
    output: Type.Object({ run: runShape, cancelledSends: number }),
    hints: { destructive: true },
    run: cancel
  }
]
