// The routes of views: list, save, delete.
import { deriveViews } from '../views/derive-views.ts'
import { mergeViews } from '../views/merge-views.ts'
import { readViewChange, readViewRequest } from '../views/read-view.ts'
import { changeView, deleteView, listSavedViews, saveView } from '../views/saved-views.ts'
import { type ApiRoute, FORBIDDEN, ok, whenAccepted } from './route.ts'

export const viewRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/api/views',
    summary: 'One view per name: saved over configured over derived',
    async answer({ viewer }, { telemetry, views }) {
      const origins = {
        derived: deriveViews(telemetry.registry.project()),
        configured: views,
        saved: await listSavedViews(telemetry.collections.views, viewer)
      }
      return ok({
        views: mergeViews(origins, viewer.viewerRef),
        viewerRef: viewer.viewerRef ?? null
      })
    }
  },
  {
    method: 'POST',
    path: '/api/views',
    summary: 'Save a view',
    answer({ viewer, body }, { telemetry }) {
      return whenAccepted(readViewRequest(body, viewer.viewerRef), async (view) => ({
        id: await saveView(telemetry.collections.views, viewer, view, telemetry.clock.now())
      }))
    }
  },
  {
    method: 'PATCH',
    path: '/api/views/*',
    summary: 'Rename a saved view, share it, or save another state under it',
    answer({ viewer, subject, body }, { telemetry }) {
      const change = readViewChange(body, viewer.viewerRef)
      if (!change.ok) return { status: 400, body: { error: change.error } }
      return changeView(telemetry.collections.views, viewer, subject, change.value).then(
        (outcome) => (outcome === 'forbidden' ? FORBIDDEN : ok({ changed: outcome }))
      )
    }
  },
  {
    method: 'DELETE',
    path: '/api/views/*',
    summary: 'Delete a saved view',
    async answer({ viewer, subject }, { telemetry }) {
      const outcome = await deleteView(telemetry.collections.views, viewer, subject)
      return outcome === 'forbidden' ? FORBIDDEN : ok({ removed: outcome })
    }
  }
]
