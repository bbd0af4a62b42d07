// The shell in a browser: navigation, broken pages, theme, sign-in, by mouse and by keyboard.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Viewer } from '@keelson/sdk'
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  openPage,
  type TestPage
} from '@keelson/ui/testing'
import Fastify from 'fastify'
import tap, { type Test, test } from 'tap'
import type { PageFailure } from '../health/page-failures.ts'
import { kernelAddresses } from '../platform/kernel-addresses.ts'
import { tally } from '../schedule/testing/queue-bench.ts'
import type { ShellPage } from './page.ts'
import { registerShell } from './shell.ts'

tap.teardown(closeBrowser)

const ADMIN: Viewer = { tenantId: 'acme', role: 'admin', email: 'admin@acme.test' }

const MODULES: Readonly<Record<string, string>> = {
  list: `import { html } from 'lit'
    import { define, definePage, KeelsonPage, KeelsonPageHeader } from '@keelson/ui'
    class List extends KeelsonPage {
      content() {
        return html\`<keelson-page-header heading="List"></keelson-page-header>
          <div class="main">
            <p id="params">\${this.params.toString()}</p>
            <p id="settings">\${JSON.stringify(this.settings)}</p>
            <p id="can">\${this.page.can('POST /api/items')} \${this.page.can('DELETE /api/items')}</p>
            <a id="more" href=\${this.address({ open: '7' })}>Open 7</a>
            <button id="load" @click=\${() => this.json('/api/items').then((v) => this.setTitle(v.name), (e) => this.setTitle(e.code))}>Load</button>
            <button id="name" @click=\${() => this.setTitle('Item 7 · The list')}>Name</button>
            <button id="ask" @click=\${() => this.confirm({ heading: 'Sure?', action: 'Yes' }).then((a) => this.toast({ text: 'Answer ' + a, duration: 0 }))}>Ask</button>
            <button id="fail" @click=\${() => this.fail(new Error('gave up'))}>Fail</button>
          </div>\`
      }
    }
    define(KeelsonPageHeader)
    definePage('notes-list', List)`,
  plain: `customElements.define('notes-plain', class extends HTMLElement {
      connectedCallback() { this.innerHTML = '<h1>Plain</h1><button>Break</button>'
        this.querySelector('button').onclick = () => { throw new Error('clicked wrong') } }
    })`,
  throws: `import { definePage, KeelsonPage } from '@keelson/ui'
    definePage('notes-throws', class extends KeelsonPage { content() { throw new Error('no ink') } })`,
  alone: `customElements.define('notes-alone', class extends HTMLElement {
      connectedCallback() { this.innerHTML = '<h1>Alone</h1>' }
    })`,
  connects: `customElements.define('notes-connects', class extends HTMLElement {
      connectedCallback() { throw new Error('no paper') }
    })`,
  nothing: 'export {}',
  syntax: 'this is not a module'
}

interface Platform {
  readonly url: string
  viewer: Viewer | null
  /** Answers of the API and of sign-in. */
  status: number
  readonly folder: string
  /** Errors of pages that browsers reported. */
  readonly failures: ReturnType<typeof tally<PageFailure>>
}

async function start(t: Test): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-pages-'))
  const app = Fastify()
  const platform: Platform = {
    url: '',
    viewer: ADMIN,
    status: 200,
    folder,
    failures: tally<PageFailure>()
  }
  for (const [id, code] of Object.entries(MODULES)) writeFileSync(join(folder, `${id}.js`), code)
  const page = (id: string, order: number): ShellPage => ({
    plugin: 'notes',
    id,
    title: `The ${id}`,
    path: `/notes/${id}`,
    element: `notes-${id}`,
    role: 'viewer',
    embed: true,
    alone: id === 'alone',
    ...(id !== 'alone' && { nav: { section: 'Notes', order } }),
    file: join(folder, `${id}.js`),
    embedFile: undefined,
    apiBase: '/notes'
  })
  app.get('/notes/api/items', (_request, reply) => {
    reply.code(platform.status)
    return platform.status === 200 ? { name: 'Seven items' } : { error: 'unauthenticated' }
  })
  app.post('/login', (request, reply) => {
    const { password } = request.body as { password: string }
    if (password !== 'right')
      return reply.code(platform.status === 429 ? 429 : 401).send({ error: 'no' })
    platform.viewer = ADMIN
    return { viewer: ADMIN }
  })
  app.post('/logout', () => {
    platform.viewer = null
    return {}
  })
  const pages = ['list', 'plain', 'throws', 'connects', 'nothing', 'syntax', 'gone', 'alone'].map(
    page
  )
  await registerShell(app, {
    title: 'Acme',
    locale: 'en',
    embedOrigins: [],
    addresses: kernelAddresses(),
    pageErrors: {
      limit: {
        take: async () => ({ granted: 1, remaining: 1, retryAfterSeconds: 1 }),
        giveBack() {}
      },
      isFromHere: ({ headers }) => headers.origin === platform.url,
      note: (failure) => platform.failures.add(failure)
    },
    pages: () => pages,
    viewerOf: async () => platform.viewer,
    routesFor: async () => ['notes:POST /api/items'],
    publicConfig: () => ({ color: 'blue' }),
    isWatching: true,
    signInHint: () => 'Try ann.'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return Object.assign(platform, { url })
}

async function open(t: Test, path: string, options: Parameters<typeof openPage>[1] = {}) {
  const platform = await start(t)
  const opened = await openPage(t, options)
  await opened.page.goto(`${platform.url}${path}`)
  return { platform, ...opened }
}

const heading = ({ page }: TestPage, name: string) =>
  // Exactly: while its module loads, the page's title in the navigation is shown instead.
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const pathOf = ({ page }: TestPage) => new URL(page.url()).pathname
/** The element with the focus, through shadow roots, by its text. */
const focusedText = ({ page }: TestPage) =>
  page.evaluate(`(() => { let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.textContent?.trim() })()`)

test(
  'the start goes to the first page, whose link is the current one',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/')
    await heading(shell, 'List')
    t.equal(pathOf(shell), '/notes/list')
    t.equal(await shell.page.locator('[aria-current=page]').textContent(), 'The list')
    t.equal(await shell.page.title(), 'The list · Acme')
    t.same(await accessibilityFaults(shell.page), [])
    t.same(shell.faults, [], 'nothing was refused by the policy')
  }
)

test(
  'a link changes the page without a reload, moves the focus, and Back returns',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/notes/list')
    await heading(shell, 'List')
    await shell.page.evaluate('window.kept = true')
    await shell.page.getByRole('link', { name: 'The plain' }).click()
    await heading(shell, 'Plain')
    t.equal(pathOf(shell), '/notes/plain')
    await shell.page.locator('h1:focus').waitFor()
    t.equal(await focusedText(shell), 'Plain')
    await shell.page.goBack()
    await heading(shell, 'List')
    t.equal(await shell.page.evaluate('window.kept'), true)
  }
)

test(
  'a page receives its parameters, its settings and what the viewer may call',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/notes/list?range=7d')
    t.equal(await shell.page.locator('#params').textContent(), 'range=7d')
    t.equal(await shell.page.locator('#settings').textContent(), '{"color":"blue"}')
    t.equal(await shell.page.locator('#can').textContent(), 'true false')
    await shell.page.locator('#more').click()
    await shell.page.waitForURL('**/notes/list?range=7d&open=7')
    t.equal(await shell.page.locator('#params').textContent(), 'range=7d&open=7')
  }
)

test('a page calls its own API and names the window', browserOptions, async (t) => {
  const shell = await open(t, '/notes/list')
  await shell.page.locator('#load').click()
  await shell.page.waitForFunction(`document.title === 'Seven items · The list · Acme'`)
  t.equal(await shell.page.title(), 'Seven items · The list · Acme')
  await shell.page.locator('#name').click()
  t.equal(await shell.page.title(), 'Item 7 · The list · Acme', 'and its own title once')
})

test('an answer that says signed out offers to sign in', browserOptions, async (t) => {
  const shell = await open(t, '/notes/list?range=7d')
  shell.platform.status = 401
  await shell.page.locator('#load').click()
  await shell.page.getByText('You have been signed out.').waitFor()
  await shell.page.getByRole('button', { name: 'Sign in' }).click()
  await shell.page.waitForURL(`**/login?next=${encodeURIComponent('/notes/list?range=7d')}`)
  t.equal(pathOf(shell), '/login')
})

test('a question and a message of a page are the shell’s', browserOptions, async (t) => {
  const shell = await open(t, '/notes/list')
  await shell.page.locator('#ask').click()
  await shell.page.getByRole('dialog', { name: 'Sure?' }).waitFor()
  t.same(await accessibilityFaults(shell.page), [])
  await shell.page.getByRole('button', { name: 'Yes' }).click()
  await shell.page.getByText('Answer true').waitFor()
  t.equal(await shell.page.locator('keelson-shell keelson-toasts li').count(), 1)
})

for (const [id, words] of [
  ['throws', 'no ink'],
  ['connects', 'no paper'],
  ['nothing', 'does not define the element notes-nothing'],
  ['syntax', 'could not be loaded'],
  ['gone', 'could not be loaded']
] as const) {
  test(
    `a broken page (${id}) says so, reports it once, and the rest keeps working`,
    browserOptions,
    async (t) => {
      const shell = await open(t, `/notes/${id}`)
      const alert = shell.page.locator('[role=alert]')
      await alert.getByText(words).waitFor()
      t.equal(await alert.count(), 1)
      await shell.platform.failures.reached(1)
      t.match(shell.platform.failures.seen, [
        { plugin: 'notes', page: id, reason: new RegExp(words) }
      ])
      t.same(await accessibilityFaults(shell.page), [])
      await shell.page.getByRole('link', { name: 'The list' }).click()
      await heading(shell, 'List')
      t.equal(await alert.count(), 0)
    }
  )
}

test(
  'a page that gives up, and one whose module was mended, are tried again',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/notes/list')
    await shell.page.locator('#fail').click()
    await shell.page.locator('[role=alert]').getByText('gave up').waitFor()
    await shell.page.getByRole('button', { name: 'Try again' }).click()
    await heading(shell, 'List')
    await shell.page.getByRole('link', { name: 'The gone' }).click()
    await shell.page.locator('[role=alert]').waitFor()
    writeFileSync(
      join(shell.platform.folder, 'gone.js'),
      MODULES['plain']?.replace('notes-plain', 'notes-gone') ?? ''
    )
    t.ok(existsSync(join(shell.platform.folder, 'gone.js')))
    await shell.page.getByRole('button', { name: 'Try again' }).click()
    await heading(shell, 'Plain')
  }
)

test(
  'an error after a page is shown is reported without taking the page away',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/notes/plain')
    await shell.page.getByRole('button', { name: 'Break' }).click()
    await shell.page.getByText('An error occurred: clicked wrong').waitFor()
    t.equal(await shell.page.getByRole('heading', { name: 'Plain' }).count(), 1)
    await shell.platform.failures.reached(1)
    t.same(shell.platform.failures.seen, [
      { plugin: 'notes', page: 'plain', reason: 'clicked wrong' }
    ])
  }
)

test('an address without a page says so and leads back', browserOptions, async (t) => {
  const shell = await open(t, '/notes/nowhere')
  await heading(shell, 'Page not found')
  t.same(await accessibilityFaults(shell.page), [])
  await shell.page.getByRole('link', { name: 'Go to The list' }).click()
  await heading(shell, 'List')
  t.equal(pathOf(shell), '/notes/list')
})

test('the theme follows the system until it is chosen, and is kept', browserOptions, async (t) => {
  const shell = await open(t, '/notes/list', { colorScheme: 'dark' })
  const background = () =>
    shell.page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)
  const dark = await background()
  await shell.page.getByRole('button', { name: 'Light', exact: true }).click()
  t.not(await background(), dark)
  await shell.page.reload()
  await heading(shell, 'List')
  t.equal(await shell.page.locator('html').getAttribute('data-scheme'), 'light')
  await shell.page.getByRole('button', { name: 'System' }).click()
  t.equal(await background(), dark)
})

test(
  'a narrow window has the navigation behind a button, and nothing is cut off',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/notes/list', { viewport: { width: 380, height: 700 } })
    await heading(shell, 'List')
    t.equal(await shell.page.getByRole('link', { name: 'The plain' }).count(), 0)
    await shell.page.getByRole('button', { name: 'Menu' }).click()
    t.same(await accessibilityFaults(shell.page), [])
    await shell.page.getByRole('link', { name: 'The plain' }).click()
    await heading(shell, 'Plain')
    t.equal(await shell.page.getByRole('dialog').count(), 0)
    const tooWide = await shell.page.evaluate(
      `document.documentElement.scrollWidth - document.documentElement.clientWidth`
    )
    t.ok(Number(tooWide) <= 0)
  }
)

test('the first Tab offers to skip to the page; ? lists the keys', browserOptions, async (t) => {
  const shell = await open(t, '/notes/list')
  await heading(shell, 'List')
  await shell.page.keyboard.press('Tab')
  t.equal(await focusedText(shell), 'Skip to the page')
  await shell.page.keyboard.press('Enter')
  await shell.page.keyboard.press('Tab')
  t.equal(await focusedText(shell), 'Open 7', 'the next stop is inside the page')
  await shell.page.keyboard.press('?')
  await shell.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await shell.page.keyboard.press('Escape')
  t.equal(await shell.page.getByRole('dialog').count(), 0)
})

test('signing in leads to where one wanted to go, and out again', browserOptions, async (t) => {
  const platform = await start(t)
  platform.viewer = null
  const shell = await openPage(t)
  await shell.page.goto(`${platform.url}/notes/plain?x=1`)
  await heading(shell, 'Sign in')
  t.same(await accessibilityFaults(shell.page), [])
  await shell.page.keyboard.type('ann@acme.test')
  await shell.page.keyboard.press('Tab')
  await shell.page.keyboard.type('right')
  await shell.page.keyboard.press('Enter')
  await heading(shell, 'Plain')
  t.equal(new URL(shell.page.url()).search, '?x=1')
  await shell.page.getByRole('button', { name: 'Sign out' }).click()
  await heading(shell, 'Sign in')
  t.equal(platform.viewer, null)
})

test(
  'a viewer of the platform sees that word, and the brand of the installation',
  browserOptions,
  async (t) => {
    const platform = await start(t)
    platform.viewer = { ...ADMIN, tenantId: '*' }
    const { page } = await openPage(t)
    await page.goto(`${platform.url}/notes/list`)
    await page.getByText('Platform, admin', { exact: true }).waitFor()
    t.equal((await page.locator('a.brand').innerText()).trim(), 'Acme')
  }
)

test(
  'a wrong password, an empty form and too many tries have different messages',
  browserOptions,
  async (t) => {
    const shell = await open(t, '/login?next=/..//evil.test/phish')
    const alert = shell.page.getByRole('alert')
    await shell.page.getByRole('button', { name: 'Sign in' }).click()
    t.match(await alert.textContent(), /your email and password/)
    await shell.page.getByLabel('Email').fill('ann@acme.test')
    await shell.page.getByLabel('Password').fill('wrong')
    await shell.page.keyboard.press('Enter')
    await alert.getByText('is wrong').waitFor()
    t.same(await accessibilityFaults(shell.page), [])
    shell.platform.status = 429
    await shell.page.getByLabel('Password').fill('wrong again')
    await shell.page.keyboard.press('Enter')
    await alert.getByText('Too many attempts').waitFor()
    await shell.page.getByLabel('Password').fill('right')
    await shell.page.keyboard.press('Enter')
    await heading(shell, 'List')
    t.equal(new URL(shell.page.url()).origin, shell.platform.url, 'a foreign next leads nowhere')
  }
)

test('a navigation that cannot be read says so and is read again', browserOptions, async (t) => {
  const platform = await start(t)
  const shell = await openPage(t)
  let isDown = true
  await shell.page.route('**/shell/nav', (route) => (isDown ? route.abort() : route.continue()))
  await shell.page.goto(`${platform.url}/notes/list`)
  await shell.page.locator('[role=alert]').getByText('cannot be reached').waitFor()
  isDown = false
  await shell.page.getByRole('button', { name: 'Try again' }).click()
  await heading(shell, 'List')
  t.equal(await shell.page.locator('[role=alert]').count(), 0)
})

test('a page that is alone has no navigation, wide or narrow', browserOptions, async (t) => {
  const shell = await open(t, '/notes/alone')
  await heading(shell, 'Alone')
  for (const width of [1280, 380]) {
    await shell.page.setViewportSize({ width, height: 800 })
    t.equal(await shell.page.getByRole('navigation').count(), 0)
    t.equal(await shell.page.getByRole('button', { name: 'Menu' }).count(), 0)
    const box = await shell.page.locator('main').boundingBox()
    t.match(box, { x: 0, width }, 'the page has the whole window')
  }
  t.same(await accessibilityFaults(shell.page), [])
})

test('a window opened for it by another site still knows its opener', browserOptions, async (t) => {
  const { page, platform } = await open(t, '/notes/alone')
  await page.route('http://client.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Client</h1>' })
  )
  await page.goto('http://client.test/')
  const openerAt = async (path: string) => {
    const opened = page.waitForEvent('popup')
    await page.evaluate(`void window.open(${JSON.stringify(platform.url + path)})`)
    const popup = await opened
    await popup.getByRole('heading', { level: 1 }).waitFor()
    return popup.evaluate('window.opener !== null')
  }
  t.equal(await openerAt('/notes/alone'), true)
  t.equal(await openerAt('/login'), true)
  t.equal(await openerAt('/notes/plain'), false)
})
