// The routes of views: list, save, change, delete.
import { Type } from '@keelson/sdk'
import { deriveViews } from '../views/derive-views.ts'
import { mergeViews } from '../views/merge-views.ts'
import {
  changeBodySchema,
  readViewChange,
  readViewRequest,
  viewBodySchema
} from '../views/read-view.ts'
import { changeView, deleteView, listSavedViews, saveView } from '../views/saved-views.ts'
import { viewSchema } from '../views/view.ts'
import { badRequest, defineRoute, FORBIDDEN, get, ok, whenAccepted } from './route.ts'

const list = get({
  path: '/api/views',
  summary: 'One view per name: saved over configured over derived',
  response: Type.Object({
    views: Type.Array(viewSchema),
    viewerRef: Type.Unsafe<string | null>({ type: ['string', 'null'] })
  }),
  async answer({ viewer }, { telemetry, views, savedViews }) {
    const origins = {
      derived: deriveViews(telemetry.registry.project()),
      configured: views,
      saved: await listSavedViews(savedViews, viewer)
    }
    return ok({
      views: mergeViews(origins, viewer.viewerRef),
      viewerRef: viewer.viewerRef ?? null
    })
  }
})

const save = defineRoute({
  method: 'POST',
  path: '/api/views',
  summary: 'Save a view',
  body: viewBodySchema,
  response: Type.Object({ id: Type.String() }),
  answer: ({ viewer, body }, { telemetry, savedViews }) =>
    whenAccepted(readViewRequest(body, viewer.viewerRef), async (view) => ({
      id: await saveView(savedViews, viewer, view, telemetry.clock.now())
    }))
})

const change = defineRoute({
  method: 'PATCH',
  path: '/api/views/*',
  summary: 'Rename a saved view, share it, or save another state under it',
  body: changeBodySchema,
  response: Type.Object({ changed: Type.Integer({ description: '1, or 0 without such a view.' }) }),
  async answer({ viewer, subject, body }, { savedViews }) {
    const change = readViewChange(body, viewer.viewerRef)
    if (!change.ok) return badRequest(change.error)
    const outcome = await changeView(savedViews, viewer, subject, change.value)
    return outcome === 'forbidden' ? FORBIDDEN : ok({ changed: outcome })
  }
})

const remove = defineRoute({
  method: 'DELETE',
  path: '/api/views/*',
  summary: 'Delete a saved view',
  response: Type.Object({ removed: Type.Integer({ description: '1, or 0 without such a view.' }) }),
  async answer({ viewer, subject }, { savedViews }) {
    const outcome = await deleteView(savedViews, viewer, subject)
    return outcome === 'forbidden' ? FORBIDDEN : ok({ removed: outcome })
  }
})

export const viewRoutes = [list, save, change, remove]
