// Folders as a build leaves them, small and made for a test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Teardown {
  teardown(fn: () => void): void
}

/** A folder with these files; it is gone after the test. */
export function folderWith(t: Teardown, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-shell-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export const BROWSER_FILES: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    imports: { lit: 'lit.11111111.js', '@keelson/ui': 'ui.22222222.js' },
    shell: 'shell.33333333.js',
    preload: ['lit.11111111.js'],
    styles: 'document.44444444.css',
    icon: 'icon.55555555.svg'
  }),
  'lit.11111111.js': `export const lit = '${'lit '.repeat(200)}'`,
  'lit.11111111.js.br': 'brotli',
  'lit.11111111.js.gz': 'gzip',
  'ui.22222222.js': 'export {}',
  'shell.33333333.js': 'export {}',
  'document.44444444.css': 'body{margin:0}',
  'icon.55555555.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'
}

export const PLUGIN_FILES: Readonly<Record<string, string>> = {
  'plugin.json': JSON.stringify({
    id: 'notes',
    pages: [
      {
        id: 'list',
        title: 'List',
        element: 'notes-list',
        module: './dist/browser/pages/list.js',
        role: 'viewer',
        nav: { section: 'Notes', order: 1 }
      },
      {
        id: 'note',
        title: 'Note',
        element: 'notes-note',
        module: './dist/browser/pages/note.js',
        role: 'viewer'
      }
    ]
  }),
  'dist/browser/pages/list.js': "customElements.define('notes-list', class extends HTMLElement {})",
  'dist/browser/pages/note.js': 'export {}'
}
