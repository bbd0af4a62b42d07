// The answers of the admin API as the dashboard reads them.
import type { Static } from '@keelson/sdk'
import type { dashboardSchema, setupSchema } from '../../admin/setup-answers.ts'

/** `GET /dashboard`. */
export type DashboardAnswer = Static<typeof dashboardSchema>

/** `GET /setup-status`. */
export type SetupAnswer = Static<typeof setupSchema>
