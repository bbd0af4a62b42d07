// Every page of the demo where each plugin has another mount, of several segments: pages find all their APIs.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { browserOptions, closeBrowser, LOOKS } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { ROOT } from '../hosts/processes.ts'
import { drawn } from './demo-in-browser.ts'
import { everyPage } from './every-page.ts'

tap.teardown(closeBrowser)

const [look] = LOOKS
/** The demo itself has the sign-in, at the root; links of mails end in /m. */
const mountOf = (id: string): string =>
  id === 'demo' ? '/' : `/moved/to/${id}${id === 'mailer' ? '/m' : ''}`
const FOLDER = join(ROOT, 'examples/platform')

interface Config {
  readonly plugins: Readonly<Record<string, { readonly package: string }>>
}

const folderOf = (name: string): string =>
  name.startsWith('.') ? resolve(FOLDER, name) : join(ROOT, 'node_modules', name)

/** The config of the demo with other mounts. */
async function movedConfig(): Promise<string> {
  const text = await readFile(join(FOLDER, 'keelson.config.json'), 'utf8')
  const config = JSON.parse(text) as Config
  const plugins = Object.fromEntries(
    Object.entries(config.plugins).map(([id, plugin]) => [
      id,
      { ...plugin, package: folderOf(plugin.package), mount: mountOf(id) }
    ])
  )
  const file = join(await mkdtemp(join(tmpdir(), 'keelson-config-')), 'keelson.config.json')
  await writeFile(file, JSON.stringify({ ...config, plugins }))
  return file
}

test('every page loads where its plugin is mounted elsewhere', {
  ...browserOptions,
  timeout: 300_000
}, async (t) => {
  const demo = await startFreshDemo(t, { KEELSON_CONFIG: await movedConfig() })
  const missing: Promise<string>[] = []
  const moved = new Set<string>()
  const paths = await everyPage(t, demo, {
    look,
    api: 'slow',
    onAnswer(answer) {
      const { pathname } = new URL(answer.url())
      if (answer.status() === 404) missing.push(answer.text().then((said) => `${pathname} ${said}`))
      if (answer.ok() && pathname.startsWith('/moved/to/')) moved.add(pathname.split('/')[3] ?? '')
    },
    async visit(page, path) {
      await drawn(page)
      t.equal(await page.getByRole('alert').count(), 0, `${path}: says no error`)
    }
  })
  const unknown = (await Promise.all(missing)).filter((one) => one.includes('at this address'))
  t.same(unknown, [])
  t.ok(paths.length > 36, `${paths.length} pages`)
  t.ok(moved.has('telemetry-dashboard') && moved.has('oauth') && moved.has('agent'))
})
