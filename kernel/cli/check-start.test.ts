// keelson check --start: what a plugin does when it runs, and what a good one leaves behind.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { keelson, manifestOf, sourceOf, writeFiles } from './testing/platform-folder.ts'
import { answering, collection, config, registering, route } from './testing/plugin-source.ts'

interface Mistake {
  readonly manifest?: object
  readonly source?: string
  readonly files?: Readonly<Record<string, unknown>>
  readonly args?: readonly string[]
}

async function started(t: Test, { manifest = {}, source, files = {}, args = [] }: Mistake) {
  const folder = t.testdir()
  await writeFiles(folder, {
    'package.json': { type: 'module' },
    'plugin.json': manifestOf('alpha', manifest),
    'index.js': source ?? sourceOf(),
    ...files
  })
  return keelson(folder, ['check', '--start', '--json', ...args])
}

test('a plugin that fails in onReady is a problem with its reason', async (t) => {
  const source = registering("host.onReady(() => { throw new Error('not ready') })")
  const { json } = await started(t, { source })
  t.match(json.problems, [{ code: 'KRN_READY_FAILED', message: /not ready/ }])
})

test('a plugin that may fail is a problem all the same', async (t) => {
  const { json } = await started(t, {
    source: registering("throw new Error('no start')"),
    files: { 'keelson.config.json': { plugins: { alpha: { onFailure: 'disable' } } } }
  })
  t.match(json.problems, [{ code: 'KRN_REGISTER_FAILED', message: /no start/, remedy: /\w/ }])
})

test('a good plugin is started with its settings, calls no other host, and leaves nothing behind', async (t) => {
  let calls = 0
  const server = createServer((_request, reply) => {
    calls++
    reply.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const host = `127.0.0.1:${port}`
  // Checks of other test processes use the usual folder.
  const { TMPDIR } = process.env
  const folder = await mkdtemp(join(tmpdir(), 'check-start-'))
  t.teardown(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    await rm(folder, { recursive: true, force: true })
  })
  process.env['TMPDIR'] = folder
  const { code, json, stderr } = await started(t, {
    manifest: {
      network: [host],
      collections: [collection],
      routes: [
        route('/days', { auth: 'admin' }),
        route('/days/:day'),
        route('/hook', { method: 'POST' })
      ],
      jobs: [
        { name: 'sweep', every: '1 hour' },
        { name: 'call', every: '1 hour' }
      ]
    },
    source: registering(
      `if (config.token !== 'abc') throw new Error('no token')
      const items = host.collection('alpha_items')
      host.health('provider', () => ({ state: 'degraded', reason: 'It is slow.' }))
      host.job('sweep', () => items.insertOne({ a: 1 }))
      host.job('call', () => host.fetch('http://${host}/'))
      ${answering('/days', 'return items.countDocuments()')}
      ${answering('/days/:day', "throw new Error('not called')")}
      host.route({ method: 'POST', path: '/hook', handler: async () => { throw new Error('not called') } })`,
      config
    ),
    args: ['--set', 'token=abc']
  })
  t.equal(code, 0, stderr)
  t.match(json, {
    ok: true,
    problems: [],
    notes: [
      'The health check provider is degraded: It is slow.',
      /^The job call was not tried to its end: keelson check makes no calls to other hosts/
    ]
  })
  t.equal(calls, 0)
  const left = await readdir(folder)
  t.same(
    left.filter((name) => name.startsWith('keelson-check-')),
    []
  )
})

test('queries that read or sort a whole collection are found, each kind once', async (t) => {
  const index = { name: 'by_a', keys: { a: 1, b: -1 } }
  const { json } = await started(t, {
    manifest: {
      collections: [{ ...collection, indexes: [index] }],
      routes: [route('/days', { auth: 'viewer' })]
    },
    source: registering(
      `const items = host.collection('alpha_items')
      ${answering(
        '/days',
        `await items.insertMany([{ a: 1, b: 2 }, { a: 2, b: 3 }])
        await items.find({ a: 1 }).sort({ b: -1 }).toArray()
        await items.find({}).limit(5).toArray()
        await items.findOne({ _id: 'x' })
        await items.aggregate([{ $match: { a: 1 } }]).toArray()
        for (const c of ['secret', 'other']) await items.find({ c }).toArray()
        await items.find({}).sort({ b: 1 }).toArray()
        return {}`
      )}`
    )
  })
  const found = json.problems.map(({ code, message }: Record<string, string>) => [code, message])
  t.equal(found.length, 2)
  t.match(found, [
    ['KRN_CLI_QUERY_UNINDEXED', /alpha_items has no index: .*"filter":\{"c":"\?"\}/],
    ['KRN_CLI_QUERY_UNINDEXED', /"sort":\{"b":1\}/]
  ])
  t.notMatch(JSON.stringify(found), /secret/)
})

const gate = (body: string) => `import { readFileSync } from 'node:fs'
import { mailerSendGate } from '@keelson/mailer/contracts'
import { definePlugin } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))
export default definePlugin({ manifest, register(host) {
  host.extend(mailerSendGate, { name: 'alpha', ${body} })
} })
`

const aroundMailer = { uses: ['mailer.core/v1', 'mailer.send-gate/v1'] }

test('a plugin that needs the mailer starts beside its stand-in', async (t) => {
  const manifest = aroundMailer
  const good = await started(t, { manifest, source: gate('check: () => null') })
  t.match(good.json, { ok: true, problems: [] })
})

test('--set without --start is wrong use', async (t) => {
  t.equal((await keelson(t.testdir(), ['check', '--set', 'a=1'])).code, 2)
  t.equal((await keelson(t.testdir(), ['check', '--start', '--set', 'a'])).code, 2)
})
