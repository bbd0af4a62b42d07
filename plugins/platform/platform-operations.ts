// The API for the administrator of the platform: plugins, switching and configuring them, the changes so far.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { KernelPlugins, PluginChangeRequest } from '@keelson/sdk/contracts/kernel-plugins'
import {
  changeSchema,
  fieldAnswer,
  fieldSchema,
  revisionAnswer,
  revisionSchema,
  stateAnswer,
  stateSchema
} from './answers.ts'
import { changeRefusals, refusalOf, refusals } from './errors.ts'

/** What the operations are served with. */
export interface PlatformHost {
  readonly plugins: KernelPlugins
}

const access = {
  auth: 'admin',
  permission: 'platform.plugins',
  tenants: '${adminTenants}'
} as const
const params = Type.Object({ id: Type.String({ maxLength: 100 }) })
/** Each change starts a process. */
const rateLimit = { max: 30, windowSeconds: 60 }

async function changed({ host, actor }: Call<PlatformHost>, request: PluginChangeRequest) {
  try {
    const revision = await host.plugins.change(actor, request)
    if (revision === undefined) return { changed: false }
    return { changed: true, revision: revisionAnswer(revision) }
  } catch (error) {
    return refusalOf(error)
  }
}

const list = operation({
  id: 'platform.plugins.list',
  method: 'GET',
  path: '/api/plugins',
  summary: 'The plugins of the platform, and how far the newest change is',
  access,
  effect: 'read',
  answer: stateSchema,
  run: async (_input, { host }: Call<PlatformHost>) => stateAnswer(await host.plugins.state())
})

const enable = operation({
  id: 'platform.plugins.enable',
  method: 'POST',
  path: '/api/plugins/:id/enable',
  summary: 'Enables a plugin on every process of the platform',
  access,
  effect: 'release',
  rateLimit,
  params,
  answer: changeSchema,
  errors: changeRefusals,
  run: ({ params: { id } }, call: Call<PlatformHost>) =>
    changed(call, { plugin: id, enabled: true })
})

const disable = operation({
  id: 'platform.plugins.disable',
  method: 'POST',
  path: '/api/plugins/:id/disable',
  summary: 'Disables a plugin on every process of the platform; its data stays',
  access,
  effect: 'release',
  hints: { destructive: true },
  rateLimit,
  params,
  answer: changeSchema,
  errors: changeRefusals,
  run: ({ params: { id } }, call: Call<PlatformHost>) =>
    changed(call, { plugin: id, enabled: false })
})

const readSettings = operation({
  id: 'platform.plugins.settings',
  method: 'GET',
  path: '/api/plugins/:id/settings',
  summary: 'The settings of a plugin as fields; secrets without their values',
  access,
  effect: 'read',
  params,
  answer: Type.Object({ fields: Type.Array(fieldSchema) }),
  errors: refusals.only('plugin_not_found'),
  async run({ params: { id } }, { host }: Call<PlatformHost>) {
    const fields = await host.plugins.fields(id)
    return fields === undefined
      ? refusals.refuse('plugin_not_found')
      : { fields: fields.map(fieldAnswer) }
  }
})

const configure = operation({
  id: 'platform.plugins.configure',
  method: 'POST',
  path: '/api/plugins/:id/settings',
  summary: 'Changes settings of a plugin on every process of the platform',
  access,
  effect: 'release',
  rateLimit,
  bodyLimit: 65_536,
  params,
  body: Type.Object({
    settings: Type.Array(
      Type.Object({
        path: Type.String({ maxLength: 200 }),
        value: Type.Optional(
          Type.Unknown({ description: 'Of a secret: the name of an environment variable.' })
        ),
        reset: Type.Optional(
          Type.Literal(true, { description: 'Back to what the config file says.' })
        )
      }),
      { minItems: 1, maxItems: 200 }
    )
  }),
  answer: changeSchema,
  errors: changeRefusals,
  run: ({ params: { id }, body: { settings } }, call: Call<PlatformHost>) =>
    changed(call, { plugin: id, settings })
})

const listAudit = operation({
  id: 'platform.audit.list',
  method: 'GET',
  path: '/api/audit',
  summary: 'Who changed which plugin: the newest 200 entries',
  access,
  effect: 'read',
  answer: Type.Object({ items: Type.Array(revisionSchema) }),
  run: async (_input, { host }: Call<PlatformHost>) => ({
    items: (await host.plugins.history()).map(revisionAnswer)
  })
})

/** The operations of the plugin. */
export const platformOperations: readonly Operation<PlatformHost>[] = [
  list,
  enable,
  disable,
  readSettings,
  configure,
  listAudit
]
