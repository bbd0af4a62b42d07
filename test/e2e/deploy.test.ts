// The pages of docs and the files of examples/deploy: the host as web and worker behind nginx, and what else can be run.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Test, test } from 'tap'
import { parse as parseYaml } from 'yaml'
import { collect, EndedError, end, freePort, ROOT, startEngine, until } from '../hosts/processes.ts'

const run = promisify(execFile)
const DEPLOY = join(ROOT, 'examples', 'deploy')
const DOCS = join(ROOT, 'docs')
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find(existsSync)
const SYSTEMD = ['/usr/bin/systemd-analyze'].find(existsSync)
const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'))
const textOf = (page: string) => readFileSync(join(DOCS, page), 'utf8')
const deployed = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** A service of the compose file, as far as it is looked at. */
interface Service {
  readonly image?: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly depends_on?: readonly string[] | object
  readonly environment?: object
  readonly volumes?: readonly string[]
}

const hasCompose = () =>
  run('docker', ['compose', 'version']).then(
    () => true,
    () => false
  )

interface Running {
  readonly url: string
  stop(): Promise<number | null>
}

async function startHost(
  t: Test,
  env: Readonly<Record<string, string>>,
  path = '/health/ready'
): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, ['host.js'], {
    cwd: DEPLOY,
    env: { ...process.env, PORT: String(port), TELEMETRY_PEPPER: 'a pepper of its own', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const printed = collect(child)
  const stop = () => end(child, 'SIGTERM')
  t.teardown(stop)
  const url = `http://127.0.0.1:${port}`
  await until(`the host: ${env['KEELSON_ROLE']}`, 60_000, async () => {
    if (child.exitCode !== null) throw new EndedError(printed())
    return (await fetch(`${url}${path}`)).ok || undefined
  })
  return { url, stop }
}

async function database(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const engine = await startEngine(folder, await freePort())
  t.teardown(() => engine.stop())
  return engine.uri.replace('/?', '/keelson?')
}

const keelson = (args: readonly string[], uri: string) =>
  run(process.execPath, [join(ROOT, 'kernel/cli/keelson.mjs'), ...args], {
    cwd: DEPLOY,
    env: { ...process.env, MONGODB_URI: uri, TELEMETRY_PEPPER: 'a pepper of its own' }
  })

/** `nginx.conf` with the addresses of this test, without TLS, and with the changes of `edit`. */
async function startNginx(
  t: Test,
  upstream: string,
  edit = (site: string) => site,
  prefix = ''
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const site = edit(deployed('nginx.conf'))
    .replace('server web:3000;', `server ${upstream};`)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^.*ssl_certificate.*\n/gm, '')
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${site} }`
  await writeFile(join(folder, 'nginx.conf'), main)
  const child = spawn(NGINX ?? 'nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  t.teardown(() => end(child, 'SIGQUIT'))
  const url = `http://127.0.0.1:${port}`
  await until(
    'nginx',
    20_000,
    async () => (await fetch(`${url}${prefix}/health/live`)).ok || undefined
  )
  return url
}

test('a web and a worker process run after the commands of the page, and end with 0', async (t) => {
  const uri = await database(t)
  const env = { MONGODB_URI: uri }
  t.match((await keelson(['plan'], uri)).stdout, /create/)
  await keelson(['apply'], uri)
  const [web, worker] = await Promise.all([
    startHost(t, { ...env, KEELSON_ROLE: 'web' }),
    startHost(t, { ...env, KEELSON_ROLE: 'worker' })
  ])
  t.equal((await fetch(`${web.url}/telemetry/api/registry`)).status, 401)
  t.equal((await fetch(`${worker.url}/telemetry/api/registry`)).status, 404)
  const metrics = await (await fetch(`${worker.url}/metrics`)).text()
  const told = [...textOf('monitoring.md').matchAll(/^\| (`[a-z_`, ]+`) \|/gm)].flatMap(
    ([, names]) => String(names).replace(/[`\s]/g, '').split(',')
  )
  t.ok(told.length > 10, told.join())
  for (const name of told) t.match(metrics, `# HELP ${name} `, name)
  t.equal(await web.stop(), 0)
  t.equal(await worker.stop(), 0)
})

test('a start that may not change the database names what is pending', async (t) => {
  await t.rejects(
    startHost(t, { MONGODB_URI: await database(t), KEELSON_ROLE: 'web' }),
    /KRN_STORAGE_PENDING|keelson apply/
  )
})

test('behind nginx pages answer, and numbers of the platform stay inside', {
  skip: NGINX === undefined && 'nginx is not installed'
}, async (t) => {
  const uri = await database(t)
  const web = await startHost(t, {
    MONGODB_URI: uri,
    KEELSON_APPLY: 'auto',
    TRUST_PROXY: '127.0.0.1'
  })
  const url = await startNginx(t, new URL(web.url).host)
  t.equal((await fetch(`${url}/openapi.json`)).status, 200)
  t.equal((await fetch(`${url}/metrics`)).status, 404)
  t.match(await (await fetch(`${url}/health/plugins`)).json(), { plugins: Array })
  const change = await fetch(`${url}/telemetry/api/views`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', cookie: 'a=1' },
    body: '{}'
  })
  t.equal(change.status, 401, 'an origin of the public name is not a foreign one')
})

const PROXIES = { 'passes on': 'http://keelson;', strips: 'http://keelson/;' }
for (const [does, pass] of Object.entries(PROXIES)) {
  test(`a proxy ${does} the prefix: pages, their files, the API and changes are below it`, {
    skip: NGINX === undefined && 'nginx is not installed'
  }, async (t) => {
    const prefix = '/platform'
    const env = {
      MONGODB_URI: await database(t),
      KEELSON_APPLY: 'auto',
      KEELSON_PREFIX: prefix,
      TRUST_PROXY: '127.0.0.1'
    }
    const web = await startHost(t, env, `${prefix}/health/ready`)
    const below = (site: string) =>
      site
        .replace('location / {', `location ${prefix}/ {`)
        .replace('proxy_pass http://keelson;', `proxy_pass ${pass}`)
    const url = await startNginx(t, new URL(web.url).host, below, prefix)
    const html = { headers: { accept: 'text/html' } }
    const page = await fetch(`${url}${prefix}/telemetry/events`, html)
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^"#]+)"/g)].map(
      ([, file]) => new URL(String(file), page.url)
    )
    t.ok(files.length > 1, 'scripts and styles')
    for (const file of files) {
      t.equal(file.pathname.startsWith(`${prefix}/`), true, file.pathname)
      const isFile = /\.\w+$/.test(file.pathname)
      // The base of the page is an address of the API.
      t.equal((await fetch(file)).status, isFile ? 200 : 401, file.pathname)
    }
    const api = `${url}${prefix}/telemetry/api`
    t.match(await (await fetch(`${api}/registry`)).json(), { error: 'unauthenticated' })
    const change = (origin: string) =>
      fetch(`${api}/views`, { method: 'POST', headers: { origin, cookie: 'a=1' } })
    t.equal((await change(url)).status, 401, 'the public origin is right')
    t.equal((await change('https://evil.example')).status, 403)
    t.equal((await fetch(`${url}/telemetry/api/registry`)).status, 404, 'nothing beside the prefix')
  })
}

test('rules and panels of the monitoring name metrics that the page names', async (t) => {
  const known = textOf('monitoring.md')
  const queries = `${deployed('alerts.yaml')}\n${deployed('grafana.json')}`
  const used = new Set(queries.match(/\b(?:keelson|process|nodejs)_[a-z_]+/g))
  t.ok(used.size > 6)
  for (const name of used) t.match(known, name.replace(/_(bucket|sum|count)$/, ''), name)
  t.doesNotThrow(() => JSON.parse(deployed('grafana.json')))
})

test('every variable and file of the page is one that the host, its config or the packages know', async (t) => {
  const files = `${deployed('host.js')}${deployed('keelson.config.json')}`
  for (const [, cell] of textOf('deploy.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)) {
    for (const [, name] of String(cell).matchAll(/`(\w+)`/g)) t.match(files, String(name))
  }
  const copied = [...deployed('Dockerfile').matchAll(/^COPY (.+) \.\/$/gm)].flatMap(([, list]) =>
    String(list).split(' ')
  )
  // The lock file is that of the app.
  for (const name of copied)
    t.ok(name === 'package-lock.json' || existsSync(join(DEPLOY, name)), name)
})

test('every command of keelson and local-mongo on a page exists', async (t) => {
  const commands = new Set(
    pages.flatMap((page) => [
      ...(textOf(page).match(/\bnpx (?:keelson|local-mongo) [a-z-]+/g) ?? [])
    ])
  )
  t.ok(commands.size > 5)
  const help = { keelson: '', 'local-mongo': '' }
  help.keelson = (await keelson(['--help'], 'mongodb://127.0.0.1:1/keelson')).stdout
  help['local-mongo'] = (
    await run(process.execPath, [join(ROOT, 'local-mongo/bin.mjs'), '--help'])
  ).stdout
  for (const command of commands) {
    const [, program, name] = command.split(' ')
    // A command of a plugin is there where the plugin is.
    if (existsSync(join(ROOT, 'plugins', String(name)))) continue
    t.match(help[program as keyof typeof help], String(name), command)
  }
})

/** Commands that the tests beside them run, by the words that they begin with. */
const ELSEWHERE = {
  'npx keelson move': 'kernel/cli/move.test.ts',
  'npx keelson serve': 'kernel/serve/serve.test.ts'
}
/** Commands that no test runs, and why. */
const NOT_RUN = {
  'docker compose up': 'It needs a Docker daemon and images of a registry; its file is checked.',
  'systemctl enable': 'It changes the machine; systemd checks the unit.',
  mongodump: "It needs MongoDB's Database Tools and a replica set of MongoDB.",
  mongorestore: "It needs MongoDB's Database Tools and a replica set of MongoDB."
}

const rowOf = (command: string, rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).find(([start]) => command.startsWith(`${start} `))?.[1]

test('each command on a page is run by a test, or has a reason why not', (t) => {
  const commands = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^```sh\n([\s\S]+?)^```/gm)].flatMap(([, block]) =>
      String(block)
        .split('\n')
        .map((line) => ({ page, command: line.replace(/ +#.*/, '').trim() }))
        .filter(({ command }) => command !== '')
    )
  )
  t.ok(commands.length > 12)
  const isRunHere = (command: string) => /^npx (?:keelson|local-mongo) /.test(command)
  const others = commands.filter(({ command }) => {
    const elsewhere = rowOf(command, ELSEWHERE)
    if (elsewhere !== undefined) t.ok(existsSync(join(ROOT, elsewhere)), elsewhere)
    return !isRunHere(command) && rowOf(command, NOT_RUN) === undefined
  })
  t.same(others, [])
  for (const start of [...Object.keys(ELSEWHERE), ...Object.keys(NOT_RUN)]) {
    t.ok(
      commands.some(({ command }) => command.startsWith(start)),
      `${start} is on a page`
    )
  }
  t.end()
})

test('the services of the compose file know each other, its variables, files and commands', async (t) => {
  const { services, volumes } = parseYaml(deployed('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
  }
  t.same(Object.keys(services), ['mongo', 'apply', 'web', 'worker', 'nginx'])
  const files = `${deployed('host.js')}${deployed('keelson.config.json')}`
  const help = (await keelson(['--help'], 'mongodb://127.0.0.1:1/keelson')).stdout
  for (const [name, service] of Object.entries(services)) {
    const { depends_on: needs = [], environment = {}, volumes: mounts = [], build } = service
    const needed = Array.isArray(needs) ? needs : Object.keys(needs)
    t.ok(service.image !== undefined || build === '.', `${name} has an image`)
    for (const other of needed) t.ok(other in services, `${name} needs ${other}`)
    for (const variable of Object.keys(environment)) t.match(files, variable, name)
    const [program, command, ...rest] = service.command ?? []
    if (program === 'npx') t.match(help, ` ${rest[0]} `, `${command} ${rest[0]}`)
    for (const [source = ''] of mounts.map((mount) => mount.split(':'))) {
      const isThere =
        source in volumes || source.startsWith('/') || existsSync(join(DEPLOY, source))
      t.ok(isThere, `${name}: ${source}`)
    }
  }
  t.ok(existsSync(join(DEPLOY, 'Dockerfile')))
})

test('docker compose takes the file of the page', {
  skip: !(await hasCompose()) && 'docker compose is not installed'
}, async (t) => {
  const env = { ...process.env, KEELSON_PUBLIC_URL: 'https://k.example', TELEMETRY_PEPPER: 'x' }
  const { stdout } = await run('docker', ['compose', 'config', '--format', 'json'], {
    cwd: DEPLOY,
    env
  })
  t.match(JSON.parse(stdout), { services: { web: { environment: { KEELSON_ROLE: 'web' } } } })
})

test('the commands of keelson on the pages run as they are written', async (t) => {
  const uri = await database(t)
  const lines = pages.flatMap((page) => [...(textOf(page).match(/^npx keelson [^#\n]+/gm) ?? [])])
  const commands = new Set(
    lines.map((line) => line.trim()).filter((line) => rowOf(line, ELSEWHERE) === undefined)
  )
  t.ok(commands.size > 3, [...commands].join())
  for (const command of commands) {
    const [, , ...args] = command.split(' ')
    const { stdout } = await keelson(args, uri)
    t.not(stdout, '', command)
  }
  t.match((await keelson(['plan'], uri)).stdout, /Nothing to do/, 'the pages apply what they plan')
})

test('systemd takes the unit of the page', {
  skip: SYSTEMD === undefined && 'systemd-analyze is not installed'
}, async (t) => {
  const { stderr } = await run(SYSTEMD ?? '', ['verify', './keelson@.service'], { cwd: DEPLOY })
  t.notMatch(stderr, 'keelson@')
})

test('the built-in engine is backed up and restored as the page says', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const engine = await startEngine(join(folder, '.keelson'), await freePort())
  t.teardown(() => engine.stop())
  const lines = textOf('backup.md').match(/^npx local-mongo .+$/gm) ?? []
  t.equal(lines.length, 3)
  for (const line of lines) {
    const [, , ...args] = line.split(' ')
    const { stdout } = await run(process.execPath, [join(ROOT, 'local-mongo/bin.mjs'), ...args], {
      cwd: folder
    })
    if (args[0] === 'check') t.match(JSON.parse(stdout), { ok: true })
  }
})

test('links between pages lead to files, and JSON on them is JSON', async (t) => {
  for (const page of pages) {
    const text = textOf(page)
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      t.ok(existsSync(join(DOCS, String(link))), `${page}: ${link}`)
    }
    for (const [, json] of text.matchAll(/```json\n([\s\S]+?)```/g)) {
      t.doesNotThrow(() => JSON.parse(String(json)), page)
    }
  }
  t.equal(dirname(DOCS), ROOT)
})
