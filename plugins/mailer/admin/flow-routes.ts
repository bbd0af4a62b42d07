// Flows in the admin API: from draft to runs.
import { Type } from '@keelson/sdk'
import { compareFlow } from '../campaigns/flows/compare-versions.ts'
import { countFlow, flowCountsSchema } from '../campaigns/flows/count-steps.ts'
import {
  changeFlow,
  createFlow,
  deleteFlow,
  duplicateFlow,
  type FlowResult,
  getFlow,
  getFlowVersion,
  listFlows,
  listFlowVersions,
  pauseFlow,
  resumeFlow
} from '../campaigns/flows/flow-operations.ts'
import { faultsOfSteps, publishFlow, rollbackFlow } from '../campaigns/flows/publish-flow.ts'
import { listRuns, skipStep, stopRun } from '../campaigns/flows/run-operations.ts'
import { simulateFlow } from '../campaigns/flows/simulate-flow.ts'
import { fieldChangeSchema } from '../ledger/changes-between.ts'
import { inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import type { RunStatus } from '../ledger/flow-rows.ts'
import type { FlowStep } from '../ledger/flow-steps.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  answered,
  bodyOf,
  comparedOf,
  editOf,
  fieldsOf,
  idOf,
  notFound,
  numberOf,
  pageOf,
  slugOf
} from './admin-route.ts'

const closed = { additionalProperties: false } as const
const STATUSES: readonly (string | undefined)[] = ['active', 'completed', 'exited', 'failed']
const stopBody = Type.Object({ reason: Type.Optional(inputs.abortReason) }, closed)
const version = Type.Integer({ minimum: 1, maximum: 999_999_999 })
const rollbackBody = Type.Object({ version }, closed)
const simulation = Type.Object(
  {
    contactId: inputs.externalId,
    /** ISO 8601; default now. */
    at: Type.Optional(Type.String({ maxLength: 64 })),
    eventProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Default: `draft` while there is one, else the live version. */
    version: Type.Optional(Type.Union([version, Type.Enum(['draft', 'published'])])),
    /** Steps that are not saved. */
    steps: Type.Optional(Type.Array(Type.Unknown()))
  },
  closed
)
const place = Type.Object({
  at: Type.String({ format: 'date-time' }),
  stepIndex: Type.Integer(),
  branchPath: Type.String()
})
const simulated = Type.Object({
  version: Type.Integer(),
  enteredAt: Type.String({ format: 'date-time' }),
  /** Why the contact would not enter now; empty when it would. */
  reasons: Type.Array(Type.String()),
  path: Type.Array(
    Type.Object({
      ...place.properties,
      type: Type.String(),
      outcome: Type.String(),
      detail: Type.Optional(Type.Unknown())
    })
  ),
  sends: Type.Array(Type.Object({ ...place.properties, templateSlug: Type.String() })),
  terminal: Type.Object({
    kind: Type.Enum(['completed', 'exited', 'truncated']),
    reason: Type.Union([Type.String(), Type.Null()]),
    at: Type.String({ format: 'date-time' })
  })
})

async function runsOf({ context, params, query }: AdminCall): Promise<AdminAnswer> {
  const { status, externalId, step } = query
  if (status !== undefined && !STATUSES.includes(status)) return { body: [] }
  const flowSlug = slugOf({ params })
  const live = async () => (await getFlow(context, flowSlug))?.version ?? 0
  const at =
    step === undefined
      ? undefined
      : { path: step, version: numberOf(query['version']) ?? (await live()) }
  const filter = defined({ status: status as RunStatus | undefined, externalId, at })
  const { rows, nextCursor } = await listRuns(context, { ...filter, ...pageOf(query), flowSlug })
  return { body: rows, nextCursor }
}

async function simulate(call: AdminCall): Promise<AdminAnswer | AdminRefusal> {
  const { context } = call
  const { contactId, at, version: asked, steps: unsaved, ...given } = bodyOf(call, simulation)
  const enteredAt = at === undefined ? undefined : new Date(at)
  if (enteredAt !== undefined && Number.isNaN(enteredAt.getTime()))
    return { ok: false, code: 'validation_failed', message: 'at must be a time.' }
  const [flow, contact] = await Promise.all([
    getFlow(context, slugOf(call)),
    context.adapter.getById(contactId)
  ])
  if (flow === null) return notFound('The flow')
  if (contact === null)
    return { ok: false, code: 'contact_not_found', message: `There is no contact ${contactId}.` }
  const draft = asked === 'draft' || asked === undefined ? flow.draft?.steps : undefined
  const steps = unsaved ?? draft
  const faults = steps === undefined ? [] : await faultsOfSteps(context, steps)
  const [first] = faults
  if (first !== undefined)
    return { ok: false, code: 'invalid_steps', message: first.message, faults } as AdminRefusal
  const result = await simulateFlow(context, flow.slug, {
    contact,
    ...defined({ ...given, at: enteredAt, steps: steps as readonly FlowStep[] | undefined }),
    ...(typeof asked === 'number' && { version: asked })
  })
  if (!result.ok) return { ok: false, code: 'version_not_found' }
  return { body: result }
}

type Change = Pick<AdminRoute, 'path' | 'summary'> & {
  readonly method?: 'PATCH'
  readonly permission?: 'canPublish'
  readonly status?: number
}

/** A route that changes a flow and answers it. */
const change = (
  { path, status, ...route }: Change,
  operation: (call: AdminCall) => Promise<FlowResult>
): AdminRoute => ({
  method: 'POST',
  path: `/flows${path}`,
  ...route,
  handler: async (call) => answered(await operation(call), ({ flow }) => flow, status)
})

const canPublish = { permission: 'canPublish' } as const

/** Routes below `/flows` and `/runs`. */
export const flowRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/flows',
    summary: 'Flows, newest-updated first',
    handler: async ({ context }) => ({ body: await listFlows(context) })
  },
  change({ path: '', summary: 'Makes a flow', status: 201 }, ({ context, body, acting }) =>
    createFlow(context, body, acting)
  ),
  {
    method: 'GET',
    path: '/flows/:slug',
    summary: 'A flow',
    handler: async (call) => {
      const flow = await getFlow(call.context, slugOf(call))
      return flow === null ? notFound('The flow') : { body: flow, revision: flow.revision ?? 0 }
    }
  },
  {
    method: 'DELETE',
    path: '/flows/:slug',
    summary: 'Deletes a flow that never ran',
    permission: 'canPublish',
    handler: async (call) =>
      answered(await deleteFlow(call.context, slugOf(call), call.acting), () => ({ ok: true }))
  },
  change({ path: '/:slug/draft', summary: 'Changes the draft', method: 'PATCH' }, (call) =>
    changeFlow(call.context, slugOf(call), call.body, { ...call.acting, ...editOf(call) })
  ),
  change({ path: '/:slug/duplicate', summary: 'Copies a flow', status: 201 }, (call) =>
    duplicateFlow(call.context, slugOf(call), call.body, call.acting)
  ),
  change({ path: '/:slug/pause', summary: 'Starts no more runs', ...canPublish }, (call) =>
    pauseFlow(call.context, slugOf(call), call.acting)
  ),
  change({ path: '/:slug/resume', summary: 'Starts runs again', ...canPublish }, (call) =>
    resumeFlow(call.context, slugOf(call), call.acting)
  ),
  change(
    { path: '/:slug/rollback', summary: 'Publishes an earlier version once more', ...canPublish },
    (call) =>
      rollbackFlow(call.context, slugOf(call), bodyOf(call, rollbackBody).version, call.acting)
  ),
  {
    method: 'POST',
    path: '/flows/:slug/publish',
    summary: 'Publishes the draft',
    ...canPublish,
    handler: async (call) => {
      const enable = fieldsOf(call.body)['enable'] !== false
      const by = { ...call.acting, ...editOf(call) }
      const result = await publishFlow(call.context, slugOf(call), { enable }, by)
      return answered(result, ({ flow }) => ({ ok: true, ...flow }))
    }
  },
  {
    method: 'GET',
    path: '/flows/:slug/versions',
    summary: 'Published versions, newest first',
    handler: async (call) => ({ body: await listFlowVersions(call.context, slugOf(call)) })
  },
  {
    method: 'GET',
    path: '/flows/:slug/versions/:version',
    summary: 'A version as it was published',
    handler: async (call) => {
      const version = Number(call.params['version'])
      const row = await getFlowVersion(call.context, slugOf(call), version)
      return row === null ? notFound('The version') : { body: row }
    }
  },
  {
    method: 'GET',
    path: '/flows/:slug/diff',
    summary: 'What differs between `from` and `to`: a version, draft or published',
    response: Type.Object({ changes: Type.Array(fieldChangeSchema) }),
    handler: async (call) =>
      answered(await compareFlow(call.context, slugOf(call), comparedOf(call)), ({ changes }) => ({
        changes
      }))
  },
  {
    method: 'GET',
    path: '/flows/:slug/counts',
    summary: 'Where the runs are, by steps of `version`',
    response: flowCountsSchema,
    handler: async (call) => {
      const version = numberOf(call.query['version'])
      const counts = await countFlow(call.context, slugOf(call), defined({ version }))
      return counts === null ? notFound('The flow') : { body: counts }
    }
  },
  {
    method: 'POST',
    path: '/flows/:slug/simulate',
    summary: 'What the flow would do with a contact; nothing is written or sent',
    response: simulated,
    handler: simulate
  },
  {
    method: 'GET',
    path: '/flows/:slug/runs',
    summary: 'Runs, newest first; by `status`, `externalId`, or `version` and `step`',
    handler: runsOf
  },
  {
    method: 'POST',
    path: '/runs/:id/stop',
    summary: 'Ends a run, and cancels its waiting mails',
    ...canPublish,
    handler: async (call) => {
      const options = { ...call.acting, ...bodyOf(call, stopBody) }
      return answered(await stopRun(call.context, idOf(call), options), ({ cancelledSends }) => ({
        ok: true,
        cancelledSends
      }))
    }
  },
  {
    method: 'POST',
    path: '/runs/:id/skip',
    summary: 'Takes a run behind the step that it is at',
    ...canPublish,
    handler: async (call) =>
      answered(await skipStep(call.context, idOf(call), call.acting), () => ({ ok: true }))
  }
]
