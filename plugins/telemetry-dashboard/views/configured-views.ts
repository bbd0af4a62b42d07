// Checks the views that the host configures, once, when the dashboard is made.
import { isRefused } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { readViewRequest } from './read-view.ts'
import type { ConfiguredView, ViewSpec } from './view.ts'

/** @throws TDB_VIEW_INVALID naming the view and what is wrong with it. */
export function configuredViews(views: readonly ViewSpec[] = []): readonly ConfiguredView[] {
  return views.map((spec, index) => {
    const read = readViewRequest({ spec, shared: true }, undefined)
    if (isRefused(read)) {
      const problems = read.fields?.map(({ path, message }) => `${path} ${message}`)
      const problem = problems?.join('; ') ?? read.message
      throw errors.TDB_VIEW_INVALID({ name: spec?.name ?? index, problem })
    }
    return { ...read.spec, origin: 'configured' }
  })
}
