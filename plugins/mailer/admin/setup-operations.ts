// The mailer as a whole in the admin API: who calls, dashboard, setup, settings, providers, the pause.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import {
  newPauseSchema,
  pauseMarketing,
  readPause,
  resumeMarketing
} from '../campaigns/marketing-pause.ts'
import { actingOf } from '../ledger/acting.ts'
import { RESERVED_ROOTS } from '../ledger/check-config.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, MAIL_API } from './admin-operation.ts'
import { MOST_DAYS } from './setup/mail-figures.ts'
import { readDashboard } from './setup/read-dashboard.ts'
import { providerStatusSchema, readProviders } from './setup/read-providers.ts'
import {
  categorySchema,
  readCategories,
  readSettings,
  settingSchema
} from './setup/read-settings.ts'
import { readSetupStatus } from './setup/setup-status.ts'
import {
  dashboardSchema,
  meSchema,
  pauseSchema,
  setupSchema,
  variablesSchema
} from './setup-answers.ts'

const reading = { method: 'GET', base: MAIL_API, access: access.read, effect: 'read' } as const

const me = operation({
  ...reading,
  id: 'mailer.me.read',
  path: '/me',
  summary: 'Who calls, and what they may do',
  answer: meSchema,
  async run(_input, call: Call<AdminHost>) {
    const [canPublish, canSendBroadcasts, canManageSuppressions] = await Promise.all([
      call.may('mailer.publish'),
      call.may('mailer.sendBroadcasts'),
      call.may('mailer.manageSuppressions')
    ])
    const permissions = { canPublish, canSendBroadcasts, canManageSuppressions }
    return { actor: call.actor.name, permissions }
  }
})

const dashboard = operation({
  ...reading,
  id: 'mailer.dashboard.read',
  path: '/dashboard',
  summary: 'A period beside the one before, the queue, what is sent, and what is new',
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_DAYS,
        description: 'The last so many days. Default: 1.'
      })
    )
  }),
  answer: dashboardSchema,
  run: ({ query: { days } }, { host }: Call<AdminHost>) => readDashboard(host.context, days)
})

const setup = operation({
  ...reading,
  id: 'mailer.setup.read',
  path: '/setup-status',
  summary: 'The setup list, and its worst line',
  answer: setupSchema,
  run: (_input, { host }: Call<AdminHost>) => readSetupStatus(host.context)
})

const variables = operation({
  ...reading,
  id: 'mailer.variables.read',
  path: '/vars-schema',
  summary: 'The variables that the host adds, and those that always exist',
  answer: variablesSchema,
  run: (_input, { host: { context } }: Call<AdminHost>) => ({
    schema: context.config.varsAdapter?.schema ?? null,
    builtins: RESERVED_ROOTS
  })
})

const settings = operation({
  ...reading,
  id: 'mailer.settings.list',
  path: '/settings',
  summary: 'The settings in force, without secrets',
  answer: Type.Array(settingSchema),
  run: (_input, { host }: Call<AdminHost>) => readSettings(host.context)
})

const categories = operation({
  ...reading,
  id: 'mailer.categories.list',
  path: '/categories',
  summary: 'Categories, with their templates and opt-outs',
  answer: Type.Array(categorySchema),
  run: (_input, { host }: Call<AdminHost>) => readCategories(host.context)
})

const providers = operation({
  ...reading,
  id: 'mailer.providers.list',
  path: '/providers',
  summary: 'Providers: what they can do, and what they did in 24 hours',
  answer: Type.Array(providerStatusSchema),
  run: (_input, { host }: Call<AdminHost>) => readProviders(host.context)
})

const pause = operation({
  ...reading,
  id: 'mailer.pause.read',
  path: '/pause',
  summary: 'The pause of all marketing mail',
  answer: pauseSchema,
  run: async (_input, { host }: Call<AdminHost>) => ({ pause: await readPause(host.context) })
})

const pauseAll = operation({
  id: 'mailer.pause.start',
  method: 'POST',
  base: MAIL_API,
  path: '/pause',
  summary: 'Pauses all marketing mail, for a reason',
  access: access.sendBroadcasts,
  effect: 'stop',
  body: newPauseSchema,
  answer: pauseSchema,
  errors: refusals.only('already_paused'),
  run: ({ body }, { host, actor }: Call<AdminHost>) =>
    pauseMarketing(host.context, body, actingOf(actor))
})

const resumeAll = operation({
  id: 'mailer.pause.end',
  method: 'DELETE',
  base: MAIL_API,
  path: '/pause',
  summary: 'Lets marketing mail go again',
  access: access.sendBroadcasts,
  effect: 'release',
  answer: pauseSchema,
  errors: refusals.only('not_paused'),
  run: (_input, { host, actor }: Call<AdminHost>) => resumeMarketing(host.context, actingOf(actor))
})

/** The operations about the mailer as a whole. */
export const setupOperations: readonly Operation<AdminHost>[] = [
  me,
  dashboard,
  setup,
  variables,
  settings,
  categories,
  providers,
  pause,
  pauseAll,
  resumeAll
]
