// Checks the views that the host configures, once, when the dashboard is made.
import { errors } from '../errors.ts'
import { readViewRequest } from './read-view.ts'
import type { ConfiguredView, ViewSpec } from './view.ts'

/** @throws TDB_VIEW_INVALID naming the view and what is wrong with it. */
export function configuredViews(views: readonly ViewSpec[] = []): readonly ConfiguredView[] {
  return views.map((spec, index) => {
    const read = readViewRequest({ spec, shared: true }, undefined)
    if (!read.ok) {
      throw errors.TDB_VIEW_INVALID({ name: spec?.name ?? index, problem: read.error })
    }
    return { ...read.value.spec, origin: 'configured' }
  })
}
