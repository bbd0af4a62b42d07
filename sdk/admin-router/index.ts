// The public entry of @keelson/sdk/admin-router: serves contributed admin routes.
export { adminErrorTable } from './admin-errors.ts'
export {
  type AdminRouter,
  type AdminRouterOptions,
  type AdminRoutesOf,
  createAdminRouter
} from './admin-router.ts'
