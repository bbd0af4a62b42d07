// Routes of the admin API about the setup of the mailer.
import { RESERVED_ROOTS } from '../config/check-config.ts'
import { readDashboard } from '../setup/read-dashboard.ts'
import { readSetupStatus } from '../setup/setup-status.ts'
import type { AdminRoute } from './admin-route.ts'

export const setupRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/dashboard',
    summary: 'The last 24 hours beside the 24 before, the queue, and what is new',
    handler: async ({ context }) => ({ body: await readDashboard(context) })
  },
  {
    method: 'GET',
    path: '/setup-status',
    summary: 'The setup list, and its worst line',
    handler: async ({ context }) => ({ body: await readSetupStatus(context) })
  },
  {
    method: 'GET',
    path: '/vars-schema',
    summary: 'The variables that the host adds, and those that always exist',
    handler: async ({ context }) => ({
      body: { schema: context.config.varsAdapter?.schema ?? null, builtins: RESERVED_ROOTS }
    })
  }
]
