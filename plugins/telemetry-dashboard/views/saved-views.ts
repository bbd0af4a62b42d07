// Keeps saved views in the database. The only file that touches their collection.
import type { Viewer } from '@keelson/sdk'
import { type Collection, type Document, ObjectId } from 'mongodb'
import type { ViewChange, ViewRequest } from './read-view.ts'
import type { PageId, SavedView } from './view.ts'

/** Saved views in one answer. */
export const MAX_SAVED_VIEWS = 200

/**
 * As stored. `query` is JSON text: its keys come from outside and may hold `$`, dots or NUL, which
 * field names may not.
 */
interface StoredView extends Document {
  readonly _id: string
  readonly tenantId: string
  readonly ownerRef: string | null
  readonly shared: boolean
  readonly name: string
  readonly page: PageId
  readonly query: string
  readonly createdAt: Date
}

const stored = (views: Collection): Collection<StoredView> =>
  views as unknown as Collection<StoredView>

/** The views a viewer may see in the own scope, taken literally (`*` is a scope like any). */
export async function listSavedViews(views: Collection, viewer: Viewer): Promise<SavedView[]> {
  const { tenantId, viewerRef } = viewer
  const mine = viewerRef === undefined ? [] : [{ tenantId, ownerRef: viewerRef }]
  const found = await stored(views)
    .find({ $or: [{ tenantId, shared: true }, ...mine] })
    .sort({ createdAt: 1, _id: 1 })
    .limit(MAX_SAVED_VIEWS)
    .toArray()
  return found.map((view) => ({
    id: view._id,
    name: view.name,
    page: view.page,
    origin: 'saved',
    ownerRef: view.ownerRef,
    shared: view.shared,
    tenantId: view.tenantId,
    query: JSON.parse(view.query)
  }))
}

/** Saves a view and answers its id. */
export async function saveView(
  views: Collection,
  viewer: Viewer,
  { spec, shared }: ViewRequest,
  now: Date
): Promise<string> {
  // Ids of one process ascend, so that views saved in the same millisecond keep their order.
  const _id = new ObjectId().toHexString()
  await stored(views).insertOne(
    {
      _id,
      tenantId: viewer.tenantId,
      ownerRef: viewer.viewerRef ?? null,
      shared,
      name: spec.name,
      page: spec.page,
      query: JSON.stringify(spec.query),
      createdAt: now
    },
    { writeConcern: { w: 'majority', journal: true } }
  )
  return _id
}

/** Changes an own view, or as admin any of the scope. 0: no such view in this scope. */
export async function changeView(
  views: Collection,
  viewer: Viewer,
  id: string,
  { name, query, shared }: ViewChange
): Promise<number | 'forbidden'> {
  const scoped = { _id: id, tenantId: viewer.tenantId }
  const view = await stored(views).findOne(scoped)
  if (view === null) return 0
  if (!isOwn(view, viewer) && viewer.role !== 'admin') return 'forbidden'
  // No viewer would see a private view without an owner.
  if (shared === false && view.ownerRef === null) return 'forbidden'
  const { matchedCount } = await stored(views).updateOne(
    scoped,
    {
      $set: {
        ...(name !== undefined && { name }),
        ...(shared !== undefined && { shared }),
        ...(query !== undefined && { query: JSON.stringify(query) })
      }
    },
    { writeConcern: { w: 'majority', journal: true } }
  )
  return matchedCount
}

const isOwn = ({ ownerRef }: StoredView, { viewerRef }: Viewer): boolean =>
  viewerRef !== undefined && ownerRef === viewerRef

/** Deletes an own view, or as admin any of the scope. 0: no such view in this scope. */
export async function deleteView(
  views: Collection,
  viewer: Viewer,
  id: string
): Promise<number | 'forbidden'> {
  const scoped = { _id: id, tenantId: viewer.tenantId }
  const view = await stored(views).findOne(scoped)
  if (view === null) return 0
  if (!isOwn(view, viewer) && viewer.role !== 'admin') return 'forbidden'
  const { deletedCount } = await stored(views).deleteOne(scoped, {
    writeConcern: { w: 'majority', journal: true }
  })
  return deletedCount
}
