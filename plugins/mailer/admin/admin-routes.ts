// Every route of the admin API.
import type { AdminRoute } from './admin-route.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { contactRoutes } from './contact-routes.ts'
import { flowRoutes } from './flow-routes.ts'
import { programRoutes } from './program-routes.ts'
import { recordRoutes } from './record-routes.ts'
import { segmentRoutes } from './segment-routes.ts'
import { setupRoutes } from './setup-routes.ts'
import { suppressionRoutes } from './suppression-routes.ts'

/** Every route, by area. */
export const adminRoutes: readonly AdminRoute[] = [
  ...flowRoutes,
  ...broadcastRoutes,
  ...programRoutes,
  ...contactRoutes,
  ...recordRoutes,
  ...suppressionRoutes,
  ...segmentRoutes,
  ...setupRoutes
]
