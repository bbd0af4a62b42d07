// The public entry of @keelson/telemetry-dashboard.
export { PLATFORM_SCOPE } from '@keelson/telemetry'
export { createDashboard, type DashboardOptions } from './dashboard.ts'
export { default } from './plugin.ts'
export type { SubjectAdapter, SubjectLabel } from './routes/route.ts'
export type { ViewerAdapter } from './routes/serve-api.ts'
export { deriveViews } from './views/derive-views.ts'
export type {
  ConfiguredView,
  DerivedView,
  PageId,
  SavedView,
  View,
  ViewQuery,
  ViewSpec
} from './views/view.ts'
