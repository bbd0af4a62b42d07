// keelson check --start: each mistake that a plugin author made in a trial is found, with its message.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { keelson, manifestOf, sourceOf, writeFiles } from './testing/platform-folder.ts'

const route = (path: string, more: object = {}) => ({
  method: 'GET',
  path,
  auth: 'public',
  summary: `Reads ${path}.`,
  ...more
})
const collection = {
  name: 'alpha_items',
  indexes: [{ name: 'by_a', keys: { a: 1 } }]
}

/** The code of a plugin whose `register(host, config)` is this. */
const registering = (body: string, options = '') =>
  sourceOf(options).replace('register() {}', `async register(host, config) { ${body} }`)

const answering = (path: string, body: string) =>
  `host.route({ method: 'GET', path: '${path}', handler: async () => { ${body} } })`

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

const page = {
  id: 'main',
  element: 'alpha-main',
  module: './pages/main.js',
  title: 'Main',
  role: 'viewer',
  embed: false
}

const withPage = (text: string | undefined): Mistake => ({
  manifest: { pages: [page] },
  ...(text !== undefined && { files: { 'pages/main.js': text } })
})

const other = (id: string, more: object = {}) => ({
  [`${id}/package.json`]: { type: 'module' },
  [`${id}/plugin.json`]: manifestOf(id, more),
  [`${id}/index.js`]: sourceOf()
})

const config =
  'config: Type.Object({ keepDays: Type.Integer({ default: 30 }), token: Type.Optional(Type.String()) })'

const mistakes: readonly (readonly [
  name: string,
  mistake: Mistake,
  code: string,
  words: string | RegExp
])[] = [
  [
    '1: a route that is not declared',
    { source: registering(answering('/days', 'return {}')) },
    'KRN_ROUTE_UNDECLARED',
    'Plugin alpha registers GET /alpha/days, which its plugin.json does not declare.'
  ],
  [
    '2: an index made by hand in register',
    {
      manifest: { collections: [collection] },
      source: registering("await host.collection('alpha_items').createIndex({ b: 1 })")
    },
    'KRN_INDEX_BY_HAND',
    /createIndex\(\{"b":1\}\) on "alpha_items"/
  ],
  [
    '2: an index made by hand in a handler',
    {
      manifest: { collections: [collection], routes: [route('/days', { auth: 'admin' })] },
      source: registering(
        answering('/days', "await host.collection('alpha_items').createIndex({ b: 1 }); return {}")
      )
    },
    'KRN_INDEX_BY_HAND',
    /createIndex\(\{"b":1\}\) on "alpha_items"/
  ],
  [
    '3: more indexes than the budget',
    { manifest: { collections: [{ ...collection, indexBudget: 0 }] } },
    'KRN_INDEX_COUNT',
    'over its index budget of 0'
  ],
  [
    '4: wrong types in the manifest',
    { manifest: { routes: [{ ...route('/days'), bodyLimit: 'large' }] } },
    'KRN_MANIFEST_INVALID',
    /routes\[0\]\.bodyLimit.*must be integer/
  ],
  ['5: a page whose module is missing', withPage(undefined), 'KRN_CLI_FILE_MISSING', 'main.js'],
  [
    '6: a job that throws',
    {
      manifest: { jobs: [{ name: 'sweep', every: '1 hour' }] },
      source: registering("host.job('sweep', () => { throw new Error('no luck') })")
    },
    'KRN_CLI_JOB_FAILED',
    'Plugin alpha: the job "sweep" fails: no luck.'
  ],
  [
    '7: a page that is not a module',
    withPage('this is not a module'),
    'KRN_CLI_PAGE_SYNTAX',
    'pages/main.js of pages[0].module is not a valid module: line 1:'
  ],
  [
    '7: a page that imports a file that is missing',
    withPage(
      "import './none.js'\ncustomElements.define('alpha-main', class extends HTMLElement {})"
    ),
    'KRN_CLI_PAGE_IMPORT',
    'pages/main.js imports "./none.js", which a browser cannot load. That file is missing.'
  ],
  [
    '7: a page that imports a package that the shell does not have',
    withPage("import x from 'lodash'\ncustomElements.define('alpha-main', x)"),
    'KRN_CLI_PAGE_IMPORT',
    /imports "lodash", which a browser cannot load\. The shell provides .*lit/
  ],
  [
    '7: a page that defines another element',
    withPage("customElements.define('alpha-other', class extends HTMLElement {})"),
    'KRN_CLI_PAGE_ELEMENT',
    'does not define the element alpha-main.'
  ],
  [
    '8: a collection that another plugin has',
    {
      manifest: {
        collections: [{ ...collection, name: 'shared_items' }],
        collectionPrefix: 'shared'
      },
      files: {
        ...other('beta', {
          collections: [{ ...collection, name: 'shared_items' }],
          collectionPrefix: 'shared'
        }),
        'keelson.config.json': { plugins: { beta: { package: './beta' } } }
      }
    },
    'KRN_COLLECTION_TAKEN',
    /is "shared_items", which plugin (alpha|beta) declares too/
  ],
  [
    '9: a host that is not declared, called in a handler',
    {
      manifest: { routes: [route('/days')] },
      source: registering(
        answering('/days', "await host.fetch('https://api.other.example/'); return {}")
      )
    },
    'KRN_HOST_UNDECLARED',
    'Plugin alpha calls api.other.example'
  ],
  [
    '9: a host that is not declared, called in a job',
    {
      manifest: { jobs: [{ name: 'sweep', every: '1 hour' }] },
      source: registering("host.job('sweep', () => host.fetch('https://api.other.example/'))")
    },
    'KRN_HOST_UNDECLARED',
    'Plugin alpha calls api.other.example'
  ],
  [
    '10: a setting of the wrong type',
    {
      source: sourceOf(config),
      files: { 'keelson.config.json': { plugins: { alpha: { config: { keepDays: 'many' } } } } }
    },
    'KRN_PLUGIN_CONFIG_INVALID',
    /plugins\.alpha\.config\.keepDays.*must be integer/
  ],
  [
    '10: a setting that is unknown, from a flag',
    { source: sourceOf(config), args: ['--set', 'keepDayz=3'] },
    'KRN_PLUGIN_CONFIG_UNKNOWN_KEY',
    /keepDayz.*Did you mean keepDays\?/
  ],
  [
    '11: an id that two plugins have',
    {
      files: {
        ...other('beta'),
        'keelson.config.js': `import { readFileSync } from 'node:fs'
import { definePlugin } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./beta/plugin.json', import.meta.url), 'utf8'))
const beta = () => definePlugin({ manifest, register() {} })
export default { use: [beta(), beta()] }`
      }
    },
    'KRN_PLUGIN_TWICE',
    'Two plugins have the id beta'
  ],
  [
    '11: an id that is not the one of the config',
    {
      files: {
        ...other('beta'),
        'keelson.config.json': { plugins: { gamma: { package: './beta' } } }
      }
    },
    'KRN_PLUGIN_ID_DIFFERS',
    /gamma.*beta/
  ],
  [
    '12: a kernel that is too old',
    { manifest: { kernel: '^99.0.0' } },
    'KRN_KERNEL_RANGE',
    'asks for kernel ^99.0.0'
  ],
  [
    '12: another plugin of the wrong version',
    {
      manifest: { requires: { beta: '^2.0.0' } },
      files: {
        ...other('beta'),
        'keelson.config.json': { plugins: { beta: { package: './beta' } } }
      }
    },
    'KRN_REQUIRES_VERSION',
    'asks for ^2.0.0, but version 1.0.0 of beta is installed'
  ]
]

for (const [name, mistake, code, words] of mistakes) {
  test(`mistake ${name}`, async (t) => {
    const { code: exit, json } = await started(t, mistake)
    t.equal(exit, 1)
    t.match(json, { ok: false, problems: [{ code, plugin: String, path: /./, remedy: /\w/ }] })
    t.match(json.problems[0].message, words)
    t.equal(json.problems.length, 1)
  })
}

test('a handler that throws is a problem with its route and its reason', async (t) => {
  const { json } = await started(t, {
    manifest: { routes: [route('/days', { auth: 'viewer' })] },
    source: registering(answering('/days', "throw new TypeError('days is undefined')"))
  })
  t.match(json.problems, [
    {
      code: 'KRN_CLI_ROUTE_FAILED',
      path: 'GET /alpha/days',
      message: 'Plugin alpha: GET /alpha/days answers 500: days is undefined.'
    }
  ])
})

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

test('a gate that throws beside the stand-in for the mailer is a problem with its reason', async (t) => {
  const manifest = aroundMailer
  const bad = await started(t, {
    manifest,
    source: gate("check() { throw new Error('no words') }")
  })
  t.match(bad.json.problems, [
    { code: 'KRN_CLI_CONTRIBUTION_FAILED', message: /a send gate .*no words/ }
  ])
})

test('a setting that plugin.json names and no config can have is a problem', async (t) => {
  const { json } = await started(t, {
    manifest: { routes: [route('/days', { auth: 'admin', tenants: '${tenants}' })] },
    source: registering(answering('/days', 'return {}'))
  })
  t.match(json.problems, [{ code: 'KRN_SETTING_UNKNOWN', path: 'routes[0].tenants' }])
})

test('--set without --start is wrong use', async (t) => {
  t.equal((await keelson(t.testdir(), ['check', '--set', 'a=1'])).code, 2)
  t.equal((await keelson(t.testdir(), ['check', '--start', '--set', 'a'])).code, 2)
})
