// Flows in the admin API: from draft to runs.
import { Type } from '@keelson/sdk'
import { checkedInput, inputs } from '../checked-input.ts'
import { defined } from '../defined.ts'
import {
  changeFlow,
  createFlow,
  deleteFlow,
  getFlow,
  listFlows,
  listFlowVersions,
  pauseFlow,
  publishFlow,
  resumeFlow
} from '../flows/flow-operations.ts'
import type { RunStatus } from '../flows/flow-rows.ts'
import { listRuns, skipStep, stopRun } from '../flows/run-operations.ts'
import { type AdminRoute, answered, editOf, fieldsOf, notFound, pageOf } from './admin-route.ts'

const slugOf = ({ slug = '' }: Readonly<Record<string, string>>) => slug

const STATUSES: readonly (string | undefined)[] = ['active', 'completed', 'exited', 'failed']
const stopBody = Type.Object(
  { reason: Type.Optional(inputs.abortReason) },
  { additionalProperties: false }
)
const runOf = ({ id = '' }: Readonly<Record<string, string>>) => id

/** Routes below `/flows`. */
export const flowRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/flows',
    summary: 'Flows, newest-updated first',
    handler: async ({ context }) => ({ body: await listFlows(context) })
  },
  {
    method: 'POST',
    path: '/flows',
    summary: 'Makes a flow',
    handler: async ({ context, body, acting }) =>
      answered(await createFlow(context, body, acting), ({ flow }) => flow, 201)
  },
  {
    method: 'GET',
    path: '/flows/:slug',
    summary: 'A flow',
    handler: async ({ context, params }) => {
      const flow = await getFlow(context, slugOf(params))
      return flow === null ? notFound('The flow') : { body: flow, revision: flow.revision ?? 0 }
    }
  },
  {
    method: 'DELETE',
    path: '/flows/:slug',
    summary: 'Deletes a flow without active runs',
    handler: async ({ context, params, acting }) =>
      answered(await deleteFlow(context, slugOf(params), acting), () => ({ ok: true }))
  },
  {
    method: 'GET',
    path: '/flows/:slug/versions',
    summary: 'Published versions, newest first',
    handler: async ({ context, params }) => ({
      body: await listFlowVersions(context, slugOf(params))
    })
  },
  {
    method: 'GET',
    path: '/flows/:slug/runs',
    summary: 'Runs, newest first',
    handler: async ({ context, params, query }) => {
      const { status, externalId } = query
      if (status !== undefined && !STATUSES.includes(status)) return { body: [] }
      const filter = defined({ status: status as RunStatus | undefined, externalId })
      const asked = { ...filter, ...pageOf(query), flowSlug: slugOf(params) }
      const { rows, nextCursor } = await listRuns(context, asked)
      return { body: rows, nextCursor }
    }
  },
  {
    method: 'POST',
    path: '/runs/:id/stop',
    summary: 'Ends a run, and cancels its waiting mails',
    permission: 'canPublish',
    handler: async ({ context, params, body, acting }) => {
      const { reason } = checkedInput('stopRun', stopBody, body)
      const stopped = await stopRun(context, runOf(params), { ...acting, ...defined({ reason }) })
      return answered(stopped, ({ cancelledSends }) => ({ ok: true, cancelledSends }))
    }
  },
  {
    method: 'POST',
    path: '/runs/:id/skip',
    summary: 'Takes a run behind the step that it is at',
    permission: 'canPublish',
    handler: async ({ context, params, acting }) =>
      answered(await skipStep(context, runOf(params), acting), () => ({ ok: true }))
  },
  {
    method: 'PATCH',
    path: '/flows/:slug/draft',
    summary: 'Changes the draft',
    handler: async (call) => {
      const { context, params, body, acting } = call
      const by = { ...acting, ...editOf(call) }
      return answered(await changeFlow(context, slugOf(params), body, by), ({ flow }) => flow)
    }
  },
  {
    method: 'POST',
    path: '/flows/:slug/publish',
    summary: 'Publishes the draft',
    permission: 'canPublish',
    handler: async ({ context, params, body, acting }) => {
      const enable = fieldsOf(body)['enable'] !== false
      const result = await publishFlow(context, slugOf(params), { enable }, acting)
      return answered(result, ({ flow }) => ({ ok: true, ...flow }))
    }
  },
  {
    method: 'POST',
    path: '/flows/:slug/pause',
    summary: 'Starts no more runs',
    permission: 'canPublish',
    handler: async ({ context, params, acting }) =>
      answered(await pauseFlow(context, slugOf(params), acting), ({ flow }) => flow)
  },
  {
    method: 'POST',
    path: '/flows/:slug/resume',
    summary: 'Starts runs again',
    permission: 'canPublish',
    handler: async ({ context, params, acting }) =>
      answered(await resumeFlow(context, slugOf(params), acting), ({ flow }) => flow)
  }
]
