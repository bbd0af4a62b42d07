// Every route of the admin API.
import type { AdminRoute } from './admin-route.ts'
import { flowRoutes } from './flow-routes.ts'
import { programRoutes } from './program-routes.ts'
import { segmentRoutes } from './segment-routes.ts'
import { setupRoutes } from './setup-routes.ts'

/** Every route, by area. */
export const adminRoutes: readonly AdminRoute[] = [
  ...flowRoutes,
  ...programRoutes,
  ...segmentRoutes,
  ...setupRoutes
]
