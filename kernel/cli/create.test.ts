// keelson create: what it writes passes keelson check and its own test, unedited.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { checkManifest } from '../manifest/check.ts'
import { KINDS, namesOf, scaffold } from './scaffold/scaffold.ts'
import { keelson } from './testing/platform-folder.ts'

const run = promisify(execFile)

for (const kind of KINDS) {
  test(`a new plugin of the kind ${kind} passes check and its own test as it is`, async (t) => {
    const cwd = t.testdir()
    const made = await keelson(cwd, ['create', 'my-plugin', '--kind', kind, '--json'])
    t.equal(made.code, 0)
    t.equal(made.json.folder, join(cwd, 'my-plugin'))
    t.match(await keelson(cwd, ['check', 'my-plugin', '--json']), {
      code: 0,
      json: { ok: true, problems: [] }
    })
    // Tap's own variables would make the inner test report to it.
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
    const folder = join(cwd, 'my-plugin')
    const { stdout } = await run(process.execPath, ['--test'], { cwd: folder, env })
    t.match(stdout, /# fail 0/)
  })
}

test('without a kind it is a plugin', async (t) => {
  const cwd = t.testdir()
  t.match(await keelson(cwd, ['create', 'mine']), { code: 0, stdout: /mine\/ \(plugin\)/ })
})

test('a folder that is there is left as it is', async (t) => {
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
    stderr: /plugin, deliverability/
  })
})

for (const id of ['a1', 'x-y', 'a-very-long-name-of-a-plugin']) {
  test(`the manifest made for "${id}" is a good one`, async (t) => {
    for (const kind of KINDS) {
      const manifest = JSON.parse(scaffold(id, kind)['plugin.json'] ?? '')
      t.match(checkManifest(manifest, id), { ok: true })
    }
    t.match(namesOf(id).code, /^[A-Z]{3,4}$/)
  })
}
