// The public entry of @keelson/telemetry-dashboard.

export { PLATFORM_SCOPE } from '@keelson/telemetry'
export type { SubjectAdapter, SubjectLabel } from './contracts.ts'
export { createDashboard, type DashboardOptions } from './dashboard.ts'
export type { ViewerAdapter } from './operations/serve-api.ts'
export { default } from './plugin.ts'
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
