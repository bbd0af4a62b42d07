// Routes of the admin API about the mailer as a whole: dashboard, setup, settings, providers, the pause.
import { Type } from '@keelson/sdk'
import {
  newPauseSchema,
  pauseMarketing,
  readPause,
  resumeMarketing
} from '../campaigns/marketing-pause.ts'
import { RESERVED_ROOTS } from '../ledger/check-config.ts'
import type { AdminRoute } from './admin-route.ts'
import { answered } from './admin-route.ts'
import { readDashboard } from './setup/read-dashboard.ts'
import { providerStatusSchema, readProviders } from './setup/read-providers.ts'
import {
  categorySchema,
  readCategories,
  readSettings,
  settingSchema
} from './setup/read-settings.ts'
import { readSetupStatus } from './setup/setup-status.ts'

const time = Type.String({ format: 'date-time' })
const pauseAnswer = Type.Object({
  pause: Type.Union([
    Type.Object({ ...newPauseSchema.properties, by: Type.String(), at: time }),
    Type.Null()
  ])
})

/** Routes about the mailer as a whole. */
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
  },
  {
    method: 'GET',
    path: '/settings',
    summary: 'The settings in force, without secrets',
    response: Type.Array(settingSchema),
    handler: async ({ context }) => ({ body: readSettings(context) })
  },
  {
    method: 'GET',
    path: '/categories',
    summary: 'Categories, with their templates and opt-outs',
    response: Type.Array(categorySchema),
    handler: async ({ context }) => ({ body: await readCategories(context) })
  },
  {
    method: 'GET',
    path: '/providers',
    summary: 'Providers: what they can do, and what they did in 24 hours',
    response: Type.Array(providerStatusSchema),
    handler: async ({ context }) => ({ body: await readProviders(context) })
  },
  {
    method: 'GET',
    path: '/pause',
    summary: 'The pause of all marketing mail',
    response: pauseAnswer,
    handler: async ({ context }) => ({ body: { pause: await readPause(context) } })
  },
  {
    method: 'POST',
    path: '/pause',
    summary: 'Pauses all marketing mail, for a reason',
    permission: 'canSendBroadcasts',
    response: pauseAnswer,
    handler: async ({ context, body, acting }) =>
      answered(await pauseMarketing(context, body, acting), ({ pause }) => ({ pause }))
  },
  {
    method: 'DELETE',
    path: '/pause',
    summary: 'Lets marketing mail go again',
    permission: 'canSendBroadcasts',
    response: pauseAnswer,
    handler: async ({ context, acting }) =>
      answered(await resumeMarketing(context, acting), ({ pause }) => ({ pause }))
  }
]
