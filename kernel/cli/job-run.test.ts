// keelson job run: one run of a job on the platform's database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLeases } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from '../storage/connect.ts'
import { keelson, platformFolder, sourceOf } from './testing/platform-folder.ts'

const jobs = [
  { name: 'sweep', every: '1 hour' },
  { name: 'break', cron: '0 0 1 1 *' },
  { name: 'hang', every: '1 hour', timeout: 1 }
]
const alpha = { collections: [{ name: 'alpha_runs', indexes: [] }], jobs }
const beta = {
  jobs: [
    { name: 'tidy', every: '1 hour' },
    { name: 'sweep', every: '1 hour' }
  ]
}

/** Every job that runs leaves a document; the others of the plugin must leave none. */
const alphaSource = sourceOf().replace(
  'register() {}',
  `register(host, config) {
    const runs = host.collection('alpha_runs')
    host.job('sweep', () => runs.insertOne({ job: 'sweep' }))
    host.job('break', () => { throw new Error('no luck') })
    host.job('hang', ({ signal }) => new Promise((_done, fail) =>
      signal.addEventListener('abort', () => fail(signal.reason))))
  }`
)
const betaSource = sourceOf().replace(
  'register() {}',
  "register(host) { host.job('tidy', () => {}); host.job('sweep', () => {}) }"
)

function platform(t: Test) {
  const files = { 'plugins/alpha/index.js': alphaSource, 'plugins/beta/index.js': betaSource }
  return platformFolder(t, { alpha, beta }, files)
}

async function databaseOf(t: Test, folder: string) {
  const config = JSON.parse(await readFile(join(folder, 'keelson.config.json'), 'utf8'))
  const storage = await connectStorage(config.storage, { baseDir: folder, log: silentLog })
  t.teardown(() => storage.close())
  return storage.db
}

test('a job runs once, and no other does; the database is named', async (t) => {
  const folder = await platform(t)
  const run = await keelson(folder, ['job', 'run', 'alpha.sweep'])
  t.match(run, { code: 0, stdout: /^alpha\.sweep is done in \d+\.\d\d s\.$/m })
  t.match(run.stderr, /^Database: .*keelson\.config\.json/m)
  const db = await databaseOf(t, folder)
  t.equal(await db.collection('alpha_runs').countDocuments(), 1)
  t.match(await keelson(folder, ['job', 'run', 'sweep', '--plugin', 'alpha', '--json']), {
    code: 0,
    json: { plugin: 'alpha', job: 'sweep', outcome: 'done', durationMs: Number }
  })
  t.equal(await db.collection('alpha_runs').countDocuments(), 2)
  t.match(await keelson(folder, ['job', 'run', 'tidy']), { code: 0, stdout: /beta\.tidy is done/ })
})

test('a job that fails or takes too long is a failure with its reason', async (t) => {
  const folder = await platform(t)
  t.match(await keelson(folder, ['job', 'run', 'alpha.break']), {
    code: 1,
    stdout: /alpha\.break failed after .*: no luck/
  })
  t.match(await keelson(folder, ['job', 'run', 'hang', '--json']), {
    code: 1,
    json: { outcome: 'timeout', reason: /did not end within 1 s/ }
  })
})

test('a job that runs in another process is not run beside it', async (t) => {
  const folder = await platform(t)
  await keelson(folder, ['job', 'run', 'alpha.sweep'])
  const db = await databaseOf(t, folder)
  const lease = openLeases({ db, clock: { now: () => new Date() }, owner: 'kernel' })
  await lease('job/alpha/sweep', { seconds: 60 }, async () => {
    t.match(await keelson(folder, ['job', 'run', 'alpha.sweep']), {
      code: 1,
      stdout: /alpha\.sweep runs in another process now\. Nothing was done/
    })
  })
  t.equal(await db.collection('alpha_runs').countDocuments(), 1)
})

test('an unknown name gets the nearest one, and an ambiguous one gets all', async (t) => {
  const folder = await platform(t)
  for (const [args, words] of [
    [['alpha.sweeep'], 'Did you mean alpha.sweep?'],
    [['tydi'], 'Did you mean beta.tidy?'],
    [
      ['quite-another'],
      'The jobs are: alpha.sweep, alpha.break, alpha.hang, beta.tidy, beta.sweep.'
    ],
    [['sweep'], 'Several plugins have a job "sweep": alpha.sweep, beta.sweep.'],
    [['sweep', '--plugin', 'gamma'], 'No plugin here declares jobs.']
  ] as const) {
    const { code, stderr } = await keelson(folder, ['job', 'run', ...args])
    t.equal(code, 1)
    t.match(stderr, words)
  }
  t.equal((await keelson(folder, ['job', 'run'])).code, 2)
})
