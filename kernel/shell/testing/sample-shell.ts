// A shell with sample pages for tests: its files are in a temporary folder, and the viewer can change.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Viewer } from '@keelson/sdk'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { kernelAddresses } from '../../platform/kernel-addresses.ts'
import type { ShellOptions, ShellPage } from '../page.ts'
import { registerShell } from '../shell.ts'

export const ADMIN: Viewer = { tenantId: 'acme', role: 'admin', email: 'admin@acme.test' }
export const PERSON: Viewer = { tenantId: 'acme', role: 'viewer', name: 'Ann' }

export const UI_FILES: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    imports: { lit: 'lit.11111111.js', '@keelson/ui': 'ui.22222222.js' },
    shell: 'shell.33333333.js',
    preload: ['lit.11111111.js'],
    styles: 'document.44444444.css',
    icon: 'icon.55555555.svg'
  }),
  'lit.11111111.js': `export const lit = '${'lit '.repeat(200)}'`,
  'lit.11111111.js.br': 'brotli',
  'ui.22222222.js': 'export {}',
  'shell.33333333.js': 'export {}',
  'document.44444444.css': 'body{margin:0}',
  'icon.55555555.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'
}

export interface Built {
  readonly app: FastifyInstance
  readonly folder: string
  /** Who is looking from now on. */
  viewer: Viewer | null
  pages: readonly ShellPage[]
}

export function folderWith(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-shell-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export function samplePages(folder: string): readonly ShellPage[] {
  const page = (plugin: string, id: string, more: Partial<ShellPage>): ShellPage => ({
    plugin,
    id,
    title: id,
    path: `/${plugin}/${id}`,
    element: `${plugin}-${id}`,
    role: 'viewer',
    embed: true,
    file: join(folder, `${id}.js`),
    embedFile: undefined,
    apiBase: `/${plugin}`,
    ...more
  })
  return [
    page('notes', 'list', {
      nav: { section: 'Notes', order: 2, icon: 'table' },
      embedFile: join(folder, 'embed', 'list.js')
    }),
    page('notes', 'start', { nav: { section: 'Notes', order: 1 }, title: 'Start & more' }),
    page('notes', 'settings', {
      role: 'admin',
      nav: { section: 'Admin', order: 50 },
      embed: false
    }),
    page('open', 'about', { role: 'public', path: '/about' })
  ]
}

export const PAGE_FILES: Readonly<Record<string, string>> = {
  'list.js': "customElements.define('notes-list', class extends HTMLElement {})",
  'start.js': 'export {}',
  'settings.js': 'export {}',
  'about.js': 'export {}',
  'embed/list.js': 'import("./list-chart-1.js")',
  'embed/list-chart-1.js': 'export {}',
  'embed/other.js': 'export {}'
}

export async function build(
  t: Test,
  options: Partial<ShellOptions> = {},
  before: (app: FastifyInstance) => void = () => {}
): Promise<Built> {
  const folder = folderWith(t, PAGE_FILES)
  const app = Fastify()
  const built: Built = { app, folder, viewer: ADMIN, pages: samplePages(folder) }
  before(app)
  app.get('/notes/api/items', () => ({ items: [] }))
  if (options.signIn === undefined) app.post('/login', () => ({}))
  const shell = await registerShell(app, {
    title: 'Acme <Ltd>',
    locale: 'en-GB',
    embedOrigins: [],
    addresses: kernelAddresses(),
    pages: () => built.pages,
    viewerOf: async () => built.viewer,
    routesFor: async (viewer) => (viewer === null ? [] : ['notes:GET /api/items']),
    publicConfig: (plugin) => (plugin === 'notes' ? { color: 'blue' } : undefined),
    browserFolder: folderWith(t, UI_FILES),
    ...options
  })
  app.setNotFoundHandler((request, reply) => shell.notFound(request, reply))
  t.teardown(() => app.close())
  return built
}

export const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
