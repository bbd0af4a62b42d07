// Flows in the admin API: from draft to runs.
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
import { type AdminRoute, answered, fieldsOf, notFound } from './admin-route.ts'

const slugOf = ({ slug = '' }: Readonly<Record<string, string>>) => slug

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
      return flow === null ? notFound('The flow') : { body: flow }
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
    method: 'PATCH',
    path: '/flows/:slug/draft',
    summary: 'Changes the draft',
    handler: async ({ context, params, body, acting }) =>
      answered(await changeFlow(context, slugOf(params), body, acting), ({ flow }) => flow)
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
