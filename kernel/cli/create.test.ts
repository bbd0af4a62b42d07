// keelson create: what it writes builds, type-checks, passes its own tests and keelson check, and runs.
import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Test, test } from 'tap'
import { checkManifest } from '../manifest/check.ts'
import { namesOf, renamedFiles } from './scaffold/names.ts'
import { KINDS, type Kind, scaffold } from './scaffold/scaffold.ts'
import { AROUND } from './scaffold/update.ts'
import { startDev } from './testing/dev-process.ts'
import { keelson } from './testing/platform-folder.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
// Tap's own variables would make the inner tests report to it.
const { PATH, HOME, MONGODB_URI, KEELSON_TEST_DATA_DIR } = process.env
const env = { PATH, HOME, MONGODB_URI, KEELSON_TEST_DATA_DIR }

/** Runs a program; its output is the message of a failure. */
async function passes(t: Test, cwd: string, args: readonly string[]): Promise<void> {
  const failed = await run(process.execPath, [...args], { cwd, env }).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`
  )
  t.equal(failed, undefined)
}

const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

const EXAMPLES: Readonly<Record<Kind, string>> = {
  plugin: 'notes-plugin',
  deliverability: 'third-party-plugin',
  job: 'rates-plugin',
  provider: 'relay-plugin',
  telemetry: 'digest-plugin'
}
const kinds = Object.keys(KINDS) as readonly Kind[]

for (const kind of kinds) {
  test(`a new plugin of the kind ${kind} builds, and passes check, types and its own tests`, async (t) => {
    const cwd = t.testdir()
    const { pages = [] } = JSON.parse(scaffold('my-plugin', kind)['plugin.json'] ?? '{}')
    const made = await keelson(cwd, ['create', 'my-plugin', '--kind', kind, '--json'])
    t.equal(made.code, 0)
    const folder = join(cwd, 'my-plugin')
    t.equal(made.json.folder, folder)
    t.match(await keelson(folder, ['build', '--json']), {
      code: 0,
      json: { plugin: 'my-plugin', pages: pages.map(() => ({ embedSize: Number })) }
    })
    t.match(await keelson(cwd, ['check', 'my-plugin', '--start', '--json']), {
      code: 0,
      json: { ok: true, problems: [] }
    })
    const tests = (await readdir(join(folder, 'dist/test'))).filter((name) => name.endsWith('.js'))
    await passes(t, folder, ['--test', ...tests.map((name) => join('dist/test', name))])
    // The declarations of the packages, as far as they are not current.
    await passes(t, ROOT, [tsc, '-b', '--checkers', '1', 'sdk/testing', 'kernel', 'ui-components'])
    await passes(t, folder, [tsc, '--checkers', '1'])
  })

  test(`the template of the kind ${kind} is the example, and leaves no trace of its name`, async (t) => {
    const folder = EXAMPLES[kind]
    const same = scaffold(folder, kind)
    for (const [path, text] of Object.entries(same)) {
      const place = AROUND.includes(path) ? 'around-a-plugin' : folder
      t.equal(text, await readFile(join(ROOT, 'examples', place, path), 'utf8'), path)
    }
    const other = scaffold('zebra', kind)
    const { id, title, prefix, code } = namesOf(folder)
    for (const [path, text] of Object.entries(other)) {
      for (const name of [id, title, prefix, `${code}_`]) {
        t.notOk(`${path}\n${text}`.includes(name), `${name} in ${path}`)
      }
    }
    for (const path of ['.gitignore', '.github/workflows/ci.yml', 'README.md', 'tsconfig.json']) {
      t.ok(Object.hasOwn(other, path), path)
    }
  })
}

test('a new plugin runs in dev, and again after a change of its TypeScript', async (t) => {
  const cwd = t.testdir()
  await keelson(cwd, ['create', 'my-plugin'])
  const folder = join(cwd, 'my-plugin')
  const dev = await startDev(t, folder, ['--viewer', 'editor@acme', '--set', 'keepDays=3'])
  await dev.reached('ready')
  t.match(dev.events.seen[0], { event: 'built', message: /page notes: / })
  t.same(await dev.get('/my-plugin/api/notes'), { items: [], allTenants: false })
  const source = join(folder, 'notes.ts')
  const text = await readFile(source, 'utf8')
  await writeFile(source, text.replace('allTenants }', 'allTenants: true }'))
  await dev.reached('ready', 2)
  t.match(await dev.get('/my-plugin/api/notes'), { allTenants: true })
})

test('without a kind it is a plugin', async (t) => {
  const cwd = t.testdir()
  t.match(await keelson(cwd, ['create', 'mine']), { code: 0, stdout: /mine\/ \(plugin\)/ })
})

test('a folder that exists is left as it is', async (t) => {
  const cwd = t.testdir({ mine: {} })
  await writeFile(join(cwd, 'mine', 'README.md'), 'ours')
  t.match(await keelson(cwd, ['create', 'mine']), { code: 1, stderr: /mine exists already/ })
  t.equal(await readFile(join(cwd, 'mine', 'README.md'), 'utf8'), 'ours')
})

for (const name of ['My-Plugin', 'my_plugin', '-x', '../up', 'a'.repeat(65), 'kernel']) {
  test(`"${name.slice(0, 20)}" is refused as a name`, async (t) => {
    const { code, stderr } = await keelson(t.testdir(), ['create', '--', name])
    t.equal(code, 2)
    t.match(stderr, /cannot be the id of a plugin/)
  })
}

test('an unknown kind is a wrong use that names the known ones', async (t) => {
  t.match(await keelson(t.testdir(), ['create', 'mine', '--kind', 'odd']), {
    code: 2,
    stderr: /plugin, job, deliverability, provider, telemetry/
  })
})

for (const id of ['a1', 'x-y', 'a-very-long-name-of-a-plugin']) {
  test(`the manifest made for "${id}" is valid`, async (t) => {
    for (const kind of kinds) {
      const manifest = JSON.parse(scaffold(id, kind)['plugin.json'] ?? '')
      t.match(checkManifest(manifest, id), { ok: true })
    }
    t.match(namesOf(id).code, /^[A-Z]{3,4}$/)
  })
}

test('a gate is seen at work in dev with the mailer: it holds an offer, and a receipt arrives', async (t) => {
  const cwd = t.testdir()
  await keelson(cwd, ['create', 'my-check', '--kind', 'deliverability'])
  const dev = await startDev(t, join(cwd, 'my-check'), ['--with', 'mailer'])
  await dev.reached('ready')
  await dev.post('/mailer-dev/api/mails', { template: 'receipt' })
  await dev.post('/mailer-dev/api/mails', { template: 'offer', subject: 'Act now' })
  const mails = async () => JSON.stringify(await dev.get('/mailer-dev/api/mails'))
  const sends = async () => JSON.stringify(await dev.get('/admin/mailer/api/sends'))
  t.match(await dev.until(mails, 'Your receipt'), 'ada@example.test')
  t.match(await dev.until(sends, 'The mail contains'), 'offer')
  t.notMatch(await mails(), 'Act now')
})

test('an old scaffold is brought up to date: what the author changed stays, the code too', async (t) => {
  const cwd = t.testdir()
  await keelson(cwd, ['create', 'my-plugin', '--kind', 'deliverability'])
  const folder = join(cwd, 'my-plugin')
  const again = () => keelson(cwd, ['create', 'my-plugin', '--update', '--json'])
  t.match((await again()).json, { kind: 'deliverability', updated: [], kept: [] })
  await writeFile(join(folder, 'tsconfig.json'), '{}')
  await writeFile(join(folder, 'index.ts'), '// mine')
  await rm(join(folder, '.gitignore'))
  t.match((await again()).json, { updated: ['.gitignore'], kept: ['tsconfig.json'] })
  t.equal(await readFile(join(folder, 'index.ts'), 'utf8'), '// mine')
  t.match(await keelson(t.testdir(), ['create', 'none', '--update']), { code: 1 })
})

test('a name is replaced in paths and texts; a code only where it begins an error', async (t) => {
  const files = { 'my-check.ts': 'my-check my_check My check MYCH_A MYCHA _MYCH_A' }
  t.same(renamedFiles(files, namesOf('my-check'), namesOf('other-one')), {
    'other-one.ts': 'other-one other_one Other one OTHE_A MYCHA _MYCH_A'
  })
})
