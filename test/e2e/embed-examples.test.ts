// The examples of other admin UIs: each shows a Keelson page on its own origin, signed in, in every engine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { firefoxEngine } from '../engines/firefox-engine.ts'
import { SIGN_IN, TOOLS } from '../engines/scripts.ts'
import { webkitEngine } from '../engines/webkit-engine.ts'
import { type SharedDemo, sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { ROOT } from '../hosts/processes.ts'
import { signIn } from './demo-in-browser.ts'

const EXAMPLES = [
  { name: 'embed-plain', path: '/' },
  { name: 'embed-react', path: '/events' },
  { name: 'embed-vue', path: '/events' },
  { name: 'embed-angular', path: '/events' },
  { name: 'embed-svelte', path: '/events' }
]
let demo: Pick<SharedDemo, 'url' | 'origins'> = { url: '', origins: [] }

async function startExample(name: string, origin: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'examples', name, 'serve.mjs')], {
    env: { ...process.env, PORT: new URL(origin).port, KEELSON_URL: demo.url },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  return child
}

const others = [firefoxEngine, webkitEngine]
if ([browserOptions, ...others].some(({ skip }) => skip === undefined)) {
  demo = await sharedDemo()
  const servers = await Promise.all(
    EXAMPLES.map(({ name }, index) => startExample(name, demo.origins[index] ?? ''))
  )
  tap.teardown(() => {
    for (const server of servers) server.kill()
  })
}
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

for (const [index, { name, path }] of EXAMPLES.entries()) {
  test(
    `${name} shows the page, which opens a record and says its title`,
    browserOptions,
    async (t) => {
      const opened = await openPage(t)
      const { page } = opened
      await signIn(page, demo, 'admin@acme.test', '/telemetry/events?range=1h')
      await page.goto(`${demo.origins[index]}${path}`)
      const row = page.locator('telemetry-dashboard-events tbody tr[data-id]').first()
      await row.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      const { origin, pathname, search } = new URL(page.url())
      t.same([origin, pathname], [demo.origins[index], path])
      t.equal(search, '', 'the address belongs to the admin UI')
      t.match(await page.title(), / · Shop admin$/)
      t.same(opened.faults, [])
    }
  )
}

for (const engine of others) {
  const options = engine.skip === undefined ? {} : { skip: engine.skip }
  test(`in ${engine.name}, each example shows the page and opens a record`, options, async (t) => {
    const window = await engine.open(t)
    await window.goto(`${demo.url}/login`)
    t.equal(await window.run(SIGN_IN), 200)
    for (const [index, { name, path }] of EXAMPLES.entries()) {
      await window.goto(`${demo.origins[index]}${path}`)
      const shown = await window.run(`${TOOLS}
        ;(await see('tbody tr[data-id]')).click()
        await see('[role=dialog], dialog[open]')
        await until(() => document.title.endsWith(' · Shop admin'), 'the title')
        return [location.origin, location.pathname, location.search]`)
      t.same(shown, [demo.origins[index], path, ''], name)
    }
  })
}
