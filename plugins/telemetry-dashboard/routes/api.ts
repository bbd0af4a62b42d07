// The whole API as one table.
import { alertRoutes } from './alert-routes.ts'
import { describeRoute } from './describe-route.ts'
import { groupRoutes } from './group-routes.ts'
import { readRoutes } from './read-routes.ts'
import type { ApiRoute } from './route.ts'
import { systemRoutes } from './system-routes.ts'
import { viewRoutes } from './view-routes.ts'

export const apiRoutes: readonly ApiRoute[] = [
  ...readRoutes,
  ...groupRoutes,
  describeRoute,
  ...viewRoutes,
  ...systemRoutes,
  ...alertRoutes
]

/** Bytes of a request body. */
export const BODY_LIMIT = 64 * 1024
