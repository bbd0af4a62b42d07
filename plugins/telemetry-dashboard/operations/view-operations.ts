// Views: list, save, change, delete.
import { type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
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
import { access, changing, type DashboardHost, reading, viewerOf } from './dashboard-operation.ts'

const forbidden = { ok: false, code: 'forbidden' } as const
const ofView = {
  ...changing,
  access: access.change,
  effect: 'change',
  path: '/api/views/:id',
  longParam: true,
  params: Type.Object({ id: Type.String() })
} as const

/** The answer of `GET /api/views`. */
export const viewsAnswer = Type.Object({
  views: Type.Array(viewSchema),
  viewerRef: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Who is looking: owns some of them.'
  })
})

const list = operation({
  ...reading,
  id: 'telemetry-dashboard.views.list',
  path: '/api/views',
  summary: 'One view per name: saved over configured over derived',
  answer: viewsAnswer,
  async run(_input, { host: { telemetry, views, savedViews }, actor }: Call<DashboardHost>) {
    const viewer = viewerOf(actor)
    const origins = {
      derived: deriveViews(telemetry.registry.project()),
      configured: views,
      saved: await listSavedViews(savedViews, viewer)
    }
    return {
      views: mergeViews(origins, viewer.viewerRef),
      viewerRef: viewer.viewerRef ?? null
    }
  }
})

const save = operation({
  ...changing,
  id: 'telemetry-dashboard.views.create',
  method: 'POST',
  path: '/api/views',
  summary: 'Save a view',
  access: access.change,
  effect: 'change',
  body: viewBodySchema,
  answer: Type.Object({ id: Type.String() }),
  async run({ body }, { host: { telemetry, savedViews }, actor }: Call<DashboardHost>) {
    const viewer = viewerOf(actor)
    const view = readViewRequest(body, viewer.viewerRef)
    if (isRefused(view)) return view
    return { id: await saveView(savedViews, viewer, view, telemetry.clock.now()) }
  }
})

const change = operation({
  ...ofView,
  id: 'telemetry-dashboard.views.change',
  method: 'PATCH',
  summary: 'Rename a saved view, share it, or save another state under it',
  hints: { idempotent: true },
  body: changeBodySchema,
  answer: Type.Object({ changed: Type.Integer({ description: '1, or 0 without such a view.' }) }),
  async run({ params: { id }, body }, { host: { savedViews }, actor }: Call<DashboardHost>) {
    const viewer = viewerOf(actor)
    const change = readViewChange(body, viewer.viewerRef)
    if (isRefused(change)) return change
    const changed = await changeView(savedViews, viewer, id, change)
    return changed === 'forbidden' ? forbidden : { changed }
  }
})

const remove = operation({
  ...ofView,
  id: 'telemetry-dashboard.views.delete',
  method: 'DELETE',
  summary: 'Delete a saved view',
  hints: { destructive: true, idempotent: true },
  answer: Type.Object({ removed: Type.Integer({ description: '1, or 0 without such a view.' }) }),
  async run({ params: { id } }, { host: { savedViews }, actor }: Call<DashboardHost>) {
    const removed = await deleteView(savedViews, viewerOf(actor), id)
    return removed === 'forbidden' ? forbidden : { removed }
  }
})

/** The operations of views. */
export const viewOperations: readonly Operation<DashboardHost>[] = [list, save, change, remove]
