// The public entry of @keelson/sdk/admin-router: Fastify routes of contributed admin routes.
export { adminErrorTable } from './admin-errors.ts'
export { type AdminRoutesOptions, addAdminRoutes, type Contribution } from './admin-router.ts'
