// The shell of the admin router on a plain app: its document, its files, and the answer before it is built.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

const BUILT = {
  'manifest.json': JSON.stringify({
    imports: { lit: 'lit.1.js', '@keelson/ui': 'ui.2.js' },
    shell: 'shell.3.js',
    preload: [],
    styles: 'document.4.css',
    icon: 'icon.5.svg'
  }),
  'shell.3.js': 'export {}'
}

function builtFolder(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mailer-shell-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

interface Page {
  readonly plugin: string
  readonly path: string
}

test('every path outside the API is the shell, with the pages of all plugins of the mailer', async (t) => {
  const { app } = await openAdmin(t, { spaDir: builtFolder(t, BUILT) })
  for (const path of ['', '/templates', '/health']) {
    const reply = await app.inject(`/admin/mailer${path}`)
    t.equal(reply.statusCode, 200, path)
    t.match(reply.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' })
  }
  const { body } = await app.inject('/admin/mailer')
  const { nav } = JSON.parse(/id="keelson-config">([^<]*)<\/script>/.exec(body)?.[1] ?? '')
  const pages: readonly Page[] = nav.sections.flatMap(
    ({ pages }: { readonly pages: readonly Page[] }) => pages
  )
  const paths = new Map(pages.map(({ plugin, path }) => [path, plugin]))
  t.equal(paths.get('/admin/mailer/templates'), 'mailer')
  t.equal(paths.get('/admin/mailer/health'), 'circuit-breaker')
  t.equal(paths.get('/admin/mailer/dmarc'), 'dmarc')
  t.match((await app.inject('/admin/mailer/api/none')).json(), { error: 'not_found' })
})

test('its files are kept for a year, and one that is missing answers 404', async (t) => {
  const { app } = await openAdmin(t, { spaDir: builtFolder(t, BUILT) })
  const reply = await app.inject('/admin/mailer/_assets/shell.3.js')
  t.equal(reply.statusCode, 200)
  t.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.equal((await app.inject('/admin/mailer/_assets/other.js')).statusCode, 404)
})

test('before it is built the shell says how to build it, and the API answers', async (t) => {
  const { app, call } = await openAdmin(t, { spaDir: builtFolder(t, {}) })
  const reply = await app.inject('/admin/mailer')
  t.equal(reply.statusCode, 503)
  t.match(reply.headers['content-type'], /^text\/plain/)
  t.equal((await call('GET', '/me')).status, 200)
})
