// The examples of other admin UIs: each shows a Keelson page on its own origin, signed in.
// Runs in its own process: it looks at a fresh demo in a fresh browser.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { startFreshDemo } from '../hosts/fresh-demo.ts'
import { freePort, ROOT } from '../hosts/processes.ts'
import { type Demo, signIn } from './demo-in-browser.ts'

const EXAMPLES = [
  { name: 'embed-plain', path: '/' },
  { name: 'embed-react', path: '/events' },
  { name: 'embed-vue', path: '/events' }
]
const origins: string[] = []
let demo: Demo = { url: '' }

async function startExample(name: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'examples', name, 'serve.mjs')], {
    env: { ...process.env, PORT: String(port), KEELSON_URL: demo.url },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  return child
}

if (browserOptions.skip === undefined) {
  const ports = [await freePort(), await freePort(), await freePort()]
  origins.push(...ports.map((port) => `http://127.0.0.1:${port}`))
  demo = await startFreshDemo(tap, { KEELSON_EMBED_ORIGINS: origins.join(',') })
  const servers = await Promise.all(
    EXAMPLES.map(({ name }, index) => startExample(name, ports[index] ?? 0))
  )
  tap.teardown(() => {
    for (const server of servers) server.kill()
  })
}
tap.teardown(closeBrowser)

for (const [index, { name, path }] of EXAMPLES.entries()) {
  test(
    `${name} shows the page, which opens a record and says its title`,
    browserOptions,
    async (t) => {
      const opened = await openPage(t)
      const { page } = opened
      await signIn(page, demo, 'admin@acme.test', '/telemetry/events?range=1h')
      await page.goto(`${origins[index]}${path}`)
      const row = page.locator('telemetry-dashboard-events tbody tr[data-id]').first()
      await row.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      const { origin, pathname, search } = new URL(page.url())
      t.same([origin, pathname], [origins[index], path])
      t.equal(search, '', 'the address belongs to the admin UI')
      t.match(await page.title(), / · Shop admin$/)
      t.same(opened.faults, [])
    }
  )
}
