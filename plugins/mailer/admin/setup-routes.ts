// Routes of the admin API about the setup of the mailer.
import { readSetupStatus } from '../setup/setup-status.ts'
import type { AdminRoute } from './admin-route.ts'

export const setupRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/setup-status',
    summary: 'The setup list, and its worst line',
    handler: async ({ context }) => ({ body: await readSetupStatus(context) })
  }
]
