// A plugin as definePlugin makes it.
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import {
  configJsonSchema,
  definePlugin,
  definitionOf,
  KERNEL,
  type PluginDefinition
} from './define-plugin.ts'
import { Type } from './typebox.ts'

const manifest = {
  manifestVersion: 1,
  id: 'alpha',
  name: 'Alpha',
  version: '1.0.0',
  kernel: '*',
  description: 'A sample.',
  license: 'MIT'
}

test('the result is a named Fastify plugin that carries its definition', async (t) => {
  const plugin = definePlugin({ manifest, register() {} })
  t.match(definitionOf(plugin), { manifest, migrations: {}, prepare: undefined, folder: undefined })
})

test('Fastify knows the plugin by its name and makes no scope for it', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const scopes: FastifyInstance[] = []
  const adopt = async (_definition: unknown, scope: FastifyInstance) => void scopes.push(scope)
  app.decorate(KERNEL as never, { adopt } as never)
  await app.register(definePlugin({ manifest, register() {} }))
  await app.register(definePlugin({ manifest: {} as never, register() {} }))
  t.ok(app.hasPlugin('keelson:alpha'))
  t.ok(app.hasPlugin('keelson:unnamed'))
  t.ok(scopes.every((scope) => scope === app))
})

test('without a config schema it takes no config', async (t) => {
  t.match(definitionOf(definePlugin({ manifest, register() {} }))?.config, {
    type: 'object',
    properties: {},
    additionalProperties: false
  })
})

test('the definition cannot be changed', async (t) => {
  const definition = definitionOf(definePlugin({ manifest, register() {} })) as PluginDefinition
  t.throws(() => Object.assign(definition, { register: undefined }))
})

test('what definePlugin did not make has no definition', async (t) => {
  for (const value of [undefined, null, 7, {}, () => {}]) t.equal(definitionOf(value), undefined)
})

test('on an app with the kernel it is handed over with its options', async (t) => {
  const adopted: unknown[] = []
  const app = { [KERNEL]: { adopt: async (...given: unknown[]) => void adopted.push(...given) } }
  const plugin = definePlugin({ manifest, register() {} })
  await plugin(app as unknown as FastifyInstance, { config: { a: 1 } })
  t.same(adopted, [definitionOf(plugin), app, { config: { a: 1 } }])
})

test('on an app without the kernel it says what is missing', async (t) => {
  const plugin = definePlugin({ manifest, register() {} })
  await t.rejects(plugin({} as FastifyInstance, {}), {
    code: 'KRN_KERNEL_MISSING',
    plugin: 'alpha',
    remedy: /Register the kernel first/
  })
})

test('its config is plain JSON Schema for plugin.json', async (t) => {
  const config = Type.Object(
    { key: Type.String({ secret: true }) },
    { additionalProperties: false }
  )
  t.same(configJsonSchema(definePlugin({ manifest, config, register() {} })), {
    type: 'object',
    properties: { key: { type: 'string', secret: true } },
    required: ['key'],
    additionalProperties: false
  })
  t.equal(configJsonSchema({}), undefined)
})
