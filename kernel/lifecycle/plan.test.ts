// The connection to the database, begun while the packages of the plugins are being loaded.
import { join } from 'node:path'
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { createKernel, type KernelSeams } from '../index.ts'
import { fakeHost, fakeSeams, samplePlugin } from '../testing/fake-host.ts'
import { sampleManifest } from '../testing/sample-manifest.ts'

const EVENTS = Symbol.for('keelson.plan-test-events')

/** Says when it is loaded. */
const source = (id: string) => `
globalThis[Symbol.for('keelson.plan-test-events')].push('${id} is loaded')
const plugin = async () => {}
plugin[Symbol.for('keelson.plugin')] = Object.freeze({
  manifest: { id: '${id}' }, config: { type: 'object', properties: {} }, migrations: {}, register () {}
})
export default plugin
`

const { connect: standIn } = fakeSeams() as Pick<KernelSeams, 'connect'>

/** A platform with one package, whose data folder is there or not. */
function platformOf(t: Test, { data, more = {} }: { data: boolean; more?: object }) {
  const id = `alpha-${crypto.randomUUID().slice(0, 8)}`
  const folder = t.testdir({
    'keelson.config.json': JSON.stringify({
      storage: { dataDir: 'data' },
      plugins: { [id]: { package: './alpha' } }
    }),
    alpha: {
      'plugin.json': JSON.stringify(sampleManifest(id, { main: './index.mjs', ...more })),
      'index.mjs': source(id)
    },
    ...(data && { data: {} })
  })
  const events: string[] = []
  Object.assign(globalThis, { [EVENTS]: events })
  const connect: KernelSeams['connect'] = async (...given) => {
    events.push('connect')
    const storage = await standIn(...given)
    return { ...storage, close: async () => void events.push('closed') }
  }
  return { id, events, config: join(folder, 'keelson.config.json'), connect }
}

test('a database that is there is connected while the plugins are loaded', async (t) => {
  const { id, events, config, connect } = platformOf(t, { data: true })
  const { app } = await fakeHost(t, { config, seams: { connect } })
  await app.close()
  t.same(events, ['connect', `${id} is loaded`, 'closed'])
})

test('a database that is not there is connected once the plugins are known to be right', async (t) => {
  const { id, events, config, connect } = platformOf(t, { data: false })
  const { app } = await fakeHost(t, { config, seams: { connect } })
  await app.close()
  t.same(events, [`${id} is loaded`, 'connect', 'closed'])
})

test('plugins in code are not loaded, so nothing is connected before they are checked', async (t) => {
  const { events, connect } = platformOf(t, { data: true })
  const plugins = [samplePlugin('alpha', { kernel: '^99.0.0' })]
  await t.rejects(fakeHost(t, { plugins, seams: { connect } }), { code: 'KRN_KERNEL_RANGE' })
  t.same(events, [])
})

test('a refused start closes the connection that it began', async (t) => {
  const { events, config, connect } = platformOf(t, { data: true, more: { kernel: '^99.0.0' } })
  await t.rejects(fakeHost(t, { config, seams: { connect } }), { code: 'KRN_KERNEL_RANGE' })
  t.same(events, ['connect', 'closed'])
})

test('what is wrong with a plugin is said before what is wrong with the database', async (t) => {
  const { config } = platformOf(t, { data: true, more: { kernel: '^99.0.0' } })
  const connect = async () => {
    throw new Error('the database refuses')
  }
  await t.rejects(fakeHost(t, { config, seams: { connect } }), { code: 'KRN_KERNEL_RANGE' })
})

test('a refused start does not wait for a database that does not answer', async (t) => {
  const { config } = platformOf(t, { data: true, more: { kernel: '^99.0.0' } })
  const app = Fastify()
  const connect = () => new Promise<never>(() => {})
  app.register(createKernel({ config }, { ...fakeSeams(), connect, env: {} }))
  await t.rejects(async () => void (await app.ready()), { code: 'KRN_KERNEL_RANGE' })
  await app.close()
})
