// keelson check of what npm pack has written.
import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Test, test } from 'tap'
import { keelson, manifestOf, sourceOf, writeFiles } from './testing/platform-folder.ts'

const run = promisify(execFile)

/** Packs a plugin by npm; `packages` is its package.json. */
async function packed(t: Test, packages: object, manifest: object = {}): Promise<string> {
  const folder = t.testdir()
  await writeFiles(folder, {
    'package.json': { name: 'alpha', version: '1.0.0', type: 'module', ...packages },
    'plugin.json': manifestOf('alpha', manifest),
    'index.js': sourceOf(),
    'types.d.ts': 'export {}'
  })
  await run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: folder })
  await rename(join(folder, 'alpha-1.0.0.tgz'), join(folder, 'packed.tgz'))
  return folder
}

test('a package with all that it names is right, and starts', async (t) => {
  const folder = await packed(t, { exports: { '.': './index.js' } })
  t.match(await keelson(folder, ['check', 'packed.tgz', '--start', '--json']), {
    code: 0,
    json: { ok: true, problems: [] }
  })
})

test('files that were not packed are named, those of plugin.json and of package.json', async (t) => {
  const packages = {
    files: ['plugin.json'],
    exports: { '.': { types: './types.d.ts', default: './index.js' } },
    customElements: 'custom-elements.json'
  }
  const folder = await packed(t, packages)
  const { json } = await keelson(folder, ['check', 'packed.tgz', '--json'])
  t.match(json.problems, [
    { code: 'KRN_CLI_UNPACKED', path: 'exports["."]["types"]', message: /\.\/types\.d\.ts/ },
    { code: 'KRN_CLI_UNPACKED', path: 'exports["."]["default"]' },
    { code: 'KRN_CLI_UNPACKED', path: 'customElements' },
    { code: 'KRN_CLI_FILE_MISSING', path: 'main' }
  ])
})

test('a file that is not a package is refused', async (t) => {
  const folder = t.testdir({ 'packed.tgz': 'no archive' })
  t.match(await keelson(folder, ['check', 'packed.tgz']), {
    code: 1,
    stderr: /packed\.tgz cannot be unpacked/
  })
})
