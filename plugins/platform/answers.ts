// What the API answers: plugins, their settings as fields, and the changes so far.
import type {
  InstalledPlugin,
  PlatformState,
  SettingField,
  SettingsRevision
} from '@keelson/sdk/contracts/kernel-plugins'
import { type Static, Type } from '@keelson/sdk/typebox'

const time = Type.String({ format: 'date-time' })
const texts = Type.Array(Type.String())

const failureSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  plugin: Type.Optional(Type.String()),
  where: Type.String()
})

export const revisionSchema = Type.Object({
  revision: Type.Integer(),
  plugin: Type.String(),
  action: Type.Union([Type.Literal('enable'), Type.Literal('disable'), Type.Literal('configure')]),
  fields: texts,
  by: Type.String(),
  via: Type.String(),
  at: time,
  state: Type.Union([Type.Literal('new'), Type.Literal('applied'), Type.Literal('failed')]),
  appliedAt: Type.Optional(time),
  failure: Type.Optional(failureSchema)
})
export type RevisionAnswer = Static<typeof revisionSchema>

export const changeSchema = Type.Object({
  changed: Type.Boolean({ description: 'False: the plugin is so already.' }),
  revision: Type.Optional(revisionSchema)
})

export const pluginSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  state: Type.Union([
    Type.Literal('ready'),
    Type.Literal('disabled'),
    Type.Literal('failed'),
    Type.Literal('degraded')
  ]),
  reason: Type.Optional(Type.String()),
  remedy: Type.Optional(Type.String()),
  enabled: Type.Boolean(),
  isKept: Type.Boolean(),
  neededBy: texts,
  asks: Type.Object({
    uses: texts,
    network: texts,
    permissions: texts,
    routes: Type.Integer(),
    jobs: Type.Integer(),
    collections: Type.Integer(),
    pages: Type.Integer()
  })
})
export type PluginAnswer = Static<typeof pluginSchema>

export const stateSchema = Type.Object({
  isServed: Type.Boolean({
    description: 'The platform runs under keelson serve: changes apply within seconds.'
  }),
  running: Type.Integer({ description: 'The revision that the process that answers runs with.' }),
  wanted: Type.Integer({ description: 'The newest revision that did not fail.' }),
  last: Type.Optional(revisionSchema),
  plugins: Type.Array(pluginSchema)
})
export type StateAnswer = Static<typeof stateSchema>

export const fieldSchema = Type.Object({
  path: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  type: Type.Union([
    Type.Literal('boolean'),
    Type.Literal('integer'),
    Type.Literal('number'),
    Type.Literal('text'),
    Type.Literal('choice'),
    Type.Literal('json')
  ]),
  choices: Type.Optional(texts),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  isSecret: Type.Boolean(),
  isSet: Type.Boolean(),
  isChanged: Type.Boolean(),
  value: Type.Optional(Type.Unknown())
})
export type FieldAnswer = Static<typeof fieldSchema>

/** The address of the caller is for the database alone. */
export function revisionAnswer({ at, appliedAt, ip: _, ...row }: SettingsRevision): RevisionAnswer {
  return {
    ...row,
    fields: [...row.fields],
    at: at.toISOString(),
    ...(appliedAt !== undefined && { appliedAt: appliedAt.toISOString() })
  }
}

const pluginAnswer = ({ neededBy, asks, ...plugin }: InstalledPlugin): PluginAnswer => ({
  ...plugin,
  neededBy: [...neededBy],
  asks: {
    ...asks,
    uses: [...asks.uses],
    network: [...asks.network],
    permissions: [...asks.permissions]
  }
})

export const stateAnswer = ({ plugins, last, ...state }: PlatformState): StateAnswer => ({
  ...state,
  ...(last !== undefined && { last: revisionAnswer(last) }),
  plugins: plugins.map(pluginAnswer)
})

export const fieldAnswer = ({ choices, ...field }: SettingField): FieldAnswer => ({
  ...field,
  ...(choices !== undefined && { choices: [...choices] })
})
