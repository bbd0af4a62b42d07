// Every route of the admin API.
import type { AdminRoute } from './admin-route.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { contactRoutes } from './contact-routes.ts'
import { recordRoutes } from './record-routes.ts'
import { suppressionRoutes } from './suppression-routes.ts'

/** Every route, by area. */
export const adminRoutes: readonly AdminRoute[] = [
  ...broadcastRoutes,
  ...contactRoutes,
  ...recordRoutes,
  ...suppressionRoutes
]
