// What the compiler must know about a plugin: wrong uses of the SDK do not compile.
import { definePlugin, type Host, Type, type Viewer } from '@keelson/sdk'
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
