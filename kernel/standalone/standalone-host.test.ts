// Plugins on a host without the kernel: storage, jobs, queues, what they offer each other, and the end.
import { defineCapability, definePlugin, type Host } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { movableClock } from '../schedule/testing/queue-bench.ts'
import { rememberingLog } from '../schedule/testing/silent-log.ts'
import { openTestDatabase } from '../storage/testing/test-database.ts'
import { sampleManifest } from '../testing/sample-manifest.ts'
import { type StandaloneOptions, standaloneHost } from './standalone-host.ts'

const greeting = defineCapability<{ readonly text: string }>('alpha.greeting/v1')

const alpha = {
  ...sampleManifest('alpha'),
  provides: [greeting.id],
  collections: [
    {
      name: 'alpha_items',
      indexes: [{ name: 'by_owner', keys: { owner: 1 as const } }],
      retention: 'For ever.'
    }
  ],
  jobs: [{ name: 'sweep', every: '1 minute' }],
  queues: [{ name: 'items', collection: 'alpha_items' }]
}

function alphaWith(register: (host: Host) => void) {
  return definePlugin({
    manifest: alpha as never,
    register(host) {
      host.provide(greeting, { text: 'hello' })
      register(host)
    }
  })
}

async function open(t: Test, more: Partial<StandaloneOptions> = {}) {
  const { db } = await openTestDatabase(t)
  const clock = movableClock()
  const { log } = rememberingLog()
  const host = standaloneHost({ db, log, clock, ...more })
  t.teardown(() => host.close())
  return { host, db, clock }
}

const idle = (host: Host) => {
  host.job('sweep', () => {})
  host.queue('items', () => {})
}

test('a manifest may name settings that the host has options of its own for', async (t) => {
  const { host } = await open(t)
  const manifest = { ...alpha, network: ['api.${region}.example.com'] }
  t.doesNotThrow(() => host.add(definePlugin({ manifest: manifest as never, register: idle })))
})

test('a plugin gets its collections with their indexes, and its jobs and queues run', async (t) => {
  const { host, db } = await open(t)
  const done: string[] = []
  let add = async (_id: string): Promise<void> => undefined
  host.add(
    alphaWith((plugin) => {
      plugin.job('sweep', () => void done.push('swept'))
      const queue = plugin.queue('items', ({ _id }) => void done.push(_id))
      add = async (_id) => void (await queue.add([{ _id }]))
    })
  )
  await host.open()
  await add('first')
  await host.runDue()
  t.same(done.sort(), ['first', 'swept'])
  const indexes = await db.collection('alpha_items').indexes()
  t.match(
    indexes.map(({ name }) => name),
    ['_id_', 'by_owner', 'keelson_due']
  )
})

test('a call leaves out the jobs and queues that it names', async (t) => {
  const { host } = await open(t)
  const done: string[] = []
  let add = async (_id: string): Promise<void> => undefined
  host.add(
    alphaWith((plugin) => {
      plugin.job('sweep', () => void done.push('swept'))
      const queue = plugin.queue('items', ({ _id }) => void done.push(_id))
      add = async (_id) => void (await queue.add([{ _id }]))
    })
  )
  await host.open()
  await add('first')
  const choice = { without: ['alpha/sweep', 'alpha/items'] }
  await host.runDue(choice)
  t.same(done, [])
  t.equal(await host.queuesDueAt(choice), undefined)
  t.ok(await host.queuesDueAt())
})

test('a job runs in parts, each with its own time and failures', async (t) => {
  const { host, clock } = await open(t)
  const done: string[] = []
  const failures = new Map<string, () => Promise<unknown>>()
  const jobs = [{ name: 'sweep', every: '1 minute', inParts: true }]
  const times = { quick: '1 minute', slow: '1 hour' }
  host.add(
    definePlugin({
      manifest: { ...sampleManifest('alpha'), jobs } as never,
      register(plugin) {
        t.throws(() => plugin.job('sweep', () => {}), { code: 'KRN_JOB_UNDECLARED' })
        for (const [part, every] of Object.entries(times)) {
          const act = () => {
            done.push(part)
            if (part === 'slow') throw new Error('no luck')
          }
          failures.set(part, plugin.job('sweep', act, { part, every }).failures)
        }
      }
    })
  )
  await host.open()
  await host.runDue()
  clock.move(60_000)
  await host.runDue()
  t.same(done.sort(), ['quick', 'quick', 'slow'])
  t.equal(await failures.get('quick')?.(), undefined)
  t.match(await failures.get('slow')?.(), { count: 1, reason: 'no luck' })
  await host.runJob('alpha', 'sweep.quick')
  t.equal(done.length, 4)
})

test('with a prefix of its own a plugin asks by the declared names all the same', async (t) => {
  const { host, db } = await open(t)
  host.add(
    alphaWith((plugin) => {
      idle(plugin)
      plugin.onReady(
        async () => void (await plugin.collection('alpha_items').insertOne({ owner: 'u1' }))
      )
    }),
    { collectionPrefix: 'shop' }
  )
  await host.open()
  t.equal(await db.collection('shop_items').countDocuments(), 1)
  t.ok(await db.collection('shop_items').indexExists('by_owner'))
})

test('a plugin that is added twice is one, with one host', async (t) => {
  const { host } = await open(t)
  const registered: string[] = []
  const plugin = alphaWith((own) => {
    idle(own)
    registered.push('alpha')
  })
  t.equal(host.add(plugin), host.add(plugin))
  await host.open()
  t.same(registered, ['alpha'])
})

test('a plugin uses what one before it provides', async (t) => {
  const { host } = await open(t)
  const seen: string[] = []
  host.add(alphaWith(idle))
  host.add(
    definePlugin({
      manifest: { ...sampleManifest('beta'), uses: [greeting.id] } as never,
      register: (plugin) => void seen.push(plugin.use(greeting).text)
    })
  )
  await host.open()
  t.same(seen, ['hello'])
})

test('a config that does not fit is refused by plugin and path', async (t) => {
  const { host } = await open(t)
  t.throws(() => host.add(alphaWith(idle), { config: { limit: 1 } }), {
    code: /^KRN_/,
    plugin: 'alpha'
  })
})

test('a plugin that asks for the app is refused, because there is none', async (t) => {
  const { host } = await open(t)
  host.add(
    alphaWith((plugin) => {
      idle(plugin)
      plugin.fastify.addHook('onRequest', async () => undefined)
    })
  )
  await t.rejects(host.open(), { code: 'KRN_STANDALONE_APP', plugin: 'alpha' })
})

test('plugins close in reverse order', async (t) => {
  const { host } = await open(t)
  const closed: string[] = []
  host.add(
    alphaWith((plugin) => {
      idle(plugin)
      plugin.onClose(() => void closed.push('alpha'))
    })
  )
  host.add(
    definePlugin({
      manifest: sampleManifest('beta') as never,
      register: (plugin) => plugin.onClose(() => void closed.push('beta'))
    })
  )
  await host.open()
  await host.close()
  await host.close()
  t.same(closed, ['beta', 'alpha'])
})

test('a migration asks for collections by their declared names, under another prefix as well', async (t) => {
  const { host, db } = await open(t)
  const manifest = { ...alpha, migrations: [{ id: 'mark', summary: 'Marks items' }] }
  const plugin = definePlugin({
    manifest: manifest as never,
    migrations: {
      async mark({ collection }) {
        await collection<{ readonly _id: string }>('alpha_items').insertOne({ _id: 'marked' })
      }
    },
    register(given) {
      given.provide(greeting, { text: 'hello' })
      idle(given)
    }
  })
  host.add(plugin, { collectionPrefix: 'shop' })
  await host.open()
  t.equal(await db.collection('shop_items').countDocuments(), 1)
})

test('two hosts with their own namespaces share a database and run each job', async (t) => {
  const { db } = await openTestDatabase(t)
  const ran = new Set<string>()
  const bothRan = new Promise<void>((resolve) => {
    for (const namespace of ['one.', 'two.']) {
      const { log } = rememberingLog()
      const host = standaloneHost({ db, log, namespace })
      t.teardown(() => host.close())
      host.add(
        alphaWith((plugin) => {
          plugin.queue('items', () => {})
          plugin.job('sweep', () => {
            ran.add(namespace)
            if (ran.size === 2) resolve()
          })
        })
      )
      void host.open().then(() => host.start())
    }
  })
  await bothRan
  t.same([...ran].sort(), ['one.', 'two.'])
})
