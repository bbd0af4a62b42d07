// The packages on each Node that is promised: installed by npm with engine-strict, and started in an existing app.
// Runs beside the others: it waits for much of its time.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import tap, { type Test, test } from 'tap'
import { ROOT } from '../hosts/processes.ts'
import { installPackages, type PackageJson, readJson, tarballOf } from './install.ts'

const run = promisify(execFile)
/** The lowest that `engines` promises, and the newest of each later line with long support. */
const VERSIONS = ['20.19.0', '22', '24']
const NODE = `node-${process.platform}-${process.arch}`
/** What `existing-app.mjs` imports besides ours. */
const USED = [
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/helmet',
  '@fastify/passport',
  '@fastify/session',
  '@fastify/swagger',
  'fastify',
  'fastify-metrics',
  'mongodb'
]

const folder = mkdtempSync(join(tmpdir(), 'keelson-node-versions-'))
tap.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const skip = await obstacle()
const installed = skip === false ? await installPackages(folder) : []

/** Why it cannot run here: Node comes from npm's registry, as packages without a script. */
async function obstacle(): Promise<string | false> {
  try {
    await run('npm', ['view', `${NODE}@${VERSIONS[0]}`, 'version', '--fetch-retries=0'])
    return false
  } catch {
    return `The npm registry did not answer with ${NODE}.`
  }
}

/** Installs a Node, and answers the environment in which it is the first that is found. */
async function environmentOf(version: string): Promise<NodeJS.ProcessEnv> {
  const home = join(folder, `node-${version}`)
  await run('npm', ['install', '--prefix', home, '--no-save', `${NODE}@${version}`])
  const bin = join(home, 'node_modules', '.bin')
  return { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
}

/** As this workspace has it: newer ones may need a newer Node. */
const versionOf = (name: string): string =>
  readJson<PackageJson>(join(ROOT, 'node_modules', name, 'package.json')).version

/** What `docs/deploy.md` tells people to add on Node 20. */
function overridesOfDocs(): { readonly overrides: object } {
  const text = readFileSync(join(ROOT, 'docs', 'deploy.md'), 'utf8')
  return JSON.parse(/^\{ "overrides": .*$/m.exec(text)?.[0] ?? '')
}

/** An existing app that npm, run by that Node, installed every package of ours into. */
async function existingApp(version: string, env: NodeJS.ProcessEnv): Promise<string> {
  const app = join(folder, `app-${version}`)
  mkdirSync(app)
  const manifest = {
    private: true,
    type: 'module',
    ...(version.startsWith('20.') ? overridesOfDocs() : {}),
    dependencies: {
      ...Object.fromEntries(USED.map((name) => [name, versionOf(name)])),
      ...Object.fromEntries(installed.map((one) => [one.name, `file:${tarballOf(one, folder)}`]))
    }
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
  cpSync(join(ROOT, 'test', 'packages', 'existing-app.mjs'), join(app, 'server.mjs'))
  const quick = ['--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', '--engine-strict', ...quick], { cwd: app, env })
  return app
}

async function started(t: Test, app: string, env: NodeJS.ProcessEnv) {
  const child = spawn('node', ['server.mjs'], { cwd: app, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const stop = async (): Promise<number> => {
    child.stdin.end()
    const [code] = await ended
    return code
  }
  t.teardown(stop)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(errors)))
  ])) as [Buffer]
  return { url: line.toString().trim(), stop, errors: () => errors }
}

for (const version of VERSIONS) {
  test(`an existing app installs and starts the packages on Node ${version}`, {
    skip
  }, async (t) => {
    const env = await environmentOf(version)
    const { stdout } = await run('node', ['--version'], { env })
    t.match(stdout, `v${version}`)
    const { url, stop, errors } = await started(t, await existingApp(version, env), env)
    const answer = await fetch(`${url}/platform/health/plugins`)
    t.match(await answer.json(), {
      plugins: [
        { id: 'telemetry', state: 'ready' },
        { id: 'telemetry-dashboard', state: 'ready' }
      ]
    })
    t.equal((await fetch(`${url}/metrics`)).status, 200, 'what the app had is as it was')
    t.equal(await stop(), 0)
    t.equal(errors(), '', 'it prints no warning')
  })
}
