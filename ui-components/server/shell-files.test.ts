// Under which names the modules of pages are served.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { openShellFiles } from './shell-files.ts'

async function filesWith(t: Test, entry: string) {
  const folder = await mkdtemp(join(tmpdir(), 'shell-files-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'list.js'), entry)
  await writeFile(join(folder, 'notes.list-page-0a1b2c3d.js'), 'export {}')
  await writeFile(join(folder, 'notes.list-late-0a1b2c3d.js'), 'export {}')
  const page = { plugin: 'notes', id: 'list', file: join(folder, 'list.js'), embed: false }
  return openShellFiles({ folder, pages: () => [page] })
}

test('a module that only imports its chunk is loaded as the chunk', async (t) => {
  for (const entry of [
    'import"./notes.list-page-0a1b2c3d.js";\n',
    "import './notes.list-page-0a1b2c3d.js'"
  ]) {
    const files = await filesWith(t, entry)
    t.equal(files.moduleName('notes', 'list'), 'notes.list-page-0a1b2c3d.js')
    t.match(files.module('notes.list-page-0a1b2c3d.js'), /notes\.list-page/)
  }
})

test('every other module is served by the hash of its content', async (t) => {
  const entries = ['export {}', 'import"./notes.list-late-0a1b2c3d.js";define()', 'import"lit";']
  for (const entry of entries) {
    const files = await filesWith(t, entry)
    t.match(files.moduleName('notes', 'list'), /^notes\.list\.[0-9a-f]{12}\.js$/)
  }
})
