// The platform's config and the kernel's options: a typo does not compile.
import keelson, { createKernel, type KernelOptions } from '@keelson/kernel'
import { type configSchema, definePlugin, type KeelsonConfig, type Static } from '@keelson/sdk'
import type { TestHostOptions } from '@keelson/sdk/testing'
import type { FastifyInstance } from 'fastify'
import { test } from 'tap'
import { type Equal, isTrue } from './expect.ts'

/** Runs nothing: what is inside has only to compile. */
const compiles = (_use: (app: FastifyInstance) => void) => true

test('KeelsonConfig is the type of the config schema', async (t) => {
  isTrue<Equal<KeelsonConfig, Static<typeof configSchema>>>()
  const config: KeelsonConfig = {
    storage: { dataDir: '.data' },
    plugins: { telemetry: { enabled: true, onFailure: 'disable', config: { pepper: 'x' } } }
  }
  // @ts-expect-error: `pluginz` is not a key of the config
  const typo: KeelsonConfig = { pluginz: {} }
  // @ts-expect-error: `enabeld` is not a key of a plugin's entry
  const deep: KeelsonConfig = { plugins: { telemetry: { enabeld: true } } }
  // @ts-expect-error: a plugin fails by abort or disable
  const value: KeelsonConfig = { plugins: { telemetry: { onFailure: 'ignore' } } }
  t.ok([config, typo, deep, value].length)
})

test('the kernel takes a path or a config, and plugins that definePlugin made', async (t) => {
  const plugin = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'typed',
      name: 'Typed',
      version: '1.0.0',
      kernel: '*',
      description: 'Type checks.',
      license: 'MIT'
    },
    register() {}
  })
  compiles((app) => {
    app.register(keelson, { config: 'keelson.config.json', plugins: [plugin] })
    app.register(keelson, { config: { shell: { title: 'Ours' } }, role: 'web' })
    app.register(createKernel({ config: {}, plugins: [plugin] }))
    // @ts-expect-error: `pluginz` is not a key of the config
    app.register(keelson, { config: { pluginz: {} } })
    // @ts-expect-error: 42 is not a plugin
    app.register(keelson, { plugins: [42] })
    // @ts-expect-error: `confg` is not an option
    app.register(keelson, { confg: {} })
    // @ts-expect-error: a config is not a number
    createKernel({ config: 42 })
  })
  isTrue<Equal<KernelOptions['config'], KeelsonConfig | string | undefined>>()
  t.pass('it compiles')
})

test('the options of a test host are held to the config, too', async (t) => {
  // @ts-expect-error: `titel` is not a key of the shell
  const typo: TestHostOptions['platform'] = { shell: { titel: 'Ours' } }
  // @ts-expect-error: the kit chooses the storage
  const storage: TestHostOptions['platform'] = { storage: {} }
  t.ok([typo, storage].length)
})
