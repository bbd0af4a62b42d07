// What the compiler must know about a plugin: wrong uses of the SDK do not compile.

import oauthManifest from '@keelson/oauth/plugin.json' with { type: 'json' }
import { definePlugin, type Host, type Manifest, Type, type Viewer } from '@keelson/sdk'
import telemetryManifest from '@keelson/telemetry/plugin.json' with { type: 'json' }
import { test } from 'tap'
import { type Equal, isTrue } from './expect.ts'

const manifest = {
  manifestVersion: 1,
  id: 'typed',
  name: 'Typed',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Type checks.',
  license: 'MIT'
}

test('the config a plugin receives has the type of its schema', async (t) => {
  definePlugin({
    manifest,
    config: Type.Object({ limit: Type.Integer(), label: Type.Optional(Type.String()) }),
    register(_host, config) {
      isTrue<Equal<typeof config.limit, number>>()
      // @ts-expect-error: `limt` is no field of the schema
      void config.limt
    }
  })
  t.pass('it compiles')
})

test('a manifest written in place is held to its keys and literals', async (t) => {
  const head = { ...manifest, manifestVersion: 1 } as const
  const register = () => {}
  definePlugin({
    manifest: {
      ...head,
      uses: ['mail.send/v1', { capability: 'mail.gate/v1', optional: true }],
      requires: { mailer: '^1.0.0' },
      routes: [
        { method: 'GET', path: '/', auth: 'public', summary: 'Says hello.' },
        { method: 'POST', path: '/x', auth: 'bearer', summary: 'Adds.', scopes: ['x:write'] }
      ],
      collections: [{ name: 'typed_rows', indexes: [{ name: 'by_at', keys: { at: -1 } }] }]
    },
    register
  })
  definePlugin({
    // @ts-expect-error: `routs` is not a key of a manifest
    manifest: { ...head, routs: [] },
    register
  })
  definePlugin({
    manifest: {
      ...head,
      // @ts-expect-error: GTE is not a method
      routes: [{ method: 'GTE', path: '/', auth: 'public', summary: 'Says hello.' }]
    },
    register
  })
  definePlugin({
    manifest: {
      ...head,
      // @ts-expect-error: a route has an auth
      routes: [{ method: 'GET', path: '/', summary: 'Says hello.' }]
    },
    register
  })
  definePlugin({
    // @ts-expect-error: the version is missing
    manifest: {
      manifestVersion: 1,
      id: 'typed',
      name: 'Typed',
      kernel: '*',
      description: 'Type checks.',
      license: 'MIT'
    },
    register
  })
  t.pass('it compiles')
})

test('a manifest whose literals were widened, as those of a JSON import, compiles', async (t) => {
  const register = () => {}
  definePlugin({ manifest: telemetryManifest, register })
  definePlugin({ manifest: oauthManifest, register })
  definePlugin({ manifest: JSON.parse('{}'), register })
  definePlugin({ manifest: {} as Readonly<Record<string, unknown>>, register })
  definePlugin({ manifest: {} as Manifest, register })
  const misspelt = { ...telemetryManifest, routs: [] }
  // @ts-expect-error: `routs` is not a key of a manifest
  definePlugin({ manifest: misspelt, register })
  const wrongKind = { ...manifest, mount: 7 }
  // @ts-expect-error: a mount is a string
  definePlugin({ manifest: wrongKind, register })
  t.pass('it compiles')
})

test('a collection carries the type of its documents', async (t) => {
  interface Row {
    readonly _id: string
    readonly count: number
  }
  const use = async (host: Host): Promise<void> => {
    const row = await host.collection<Row>('typed_rows').findOne({ _id: 'one' })
    isTrue<Equal<NonNullable<typeof row>['count'], number>>()
    // @ts-expect-error: a count is a number
    await host.collection<Row>('typed_rows').insertOne({ _id: 'two', count: 'many' })
  }
  t.type(use, 'function')
})

test('a handler gets a viewer that may be null', async (t) => {
  const use = (host: Host): void => {
    host.route({
      method: 'GET',
      path: '/',
      handler: (_request, _reply, { viewer }) => {
        isTrue<Equal<typeof viewer, Viewer | null>>()
        return viewer?.tenantId ?? 'nobody'
      }
    })
  }
  t.type(use, 'function')
})

test('an unknown method does not compile', async (t) => {
  const use = (host: Host): void => {
    // @ts-expect-error: FETCH is no HTTP method
    host.route({ method: 'FETCH', path: '/', handler: () => null })
  }
  t.type(use, 'function')
})
