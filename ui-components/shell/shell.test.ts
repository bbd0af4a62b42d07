// The shell in a browser, over a navigation and pages that the test gives: its error boundary and what it offers pages.
import { readFileSync } from 'node:fs'
import tap, { test } from 'tap'
import { browserOptions, closeBrowser, shownText } from '../test/browser.ts'
import { openElementPage } from '../test/element-page.ts'
import type { UiManifest } from '../ui-manifest.ts'
import type { Nav, NavPage } from './nav.ts'

tap.teardown(closeBrowser)

const manifest = JSON.parse(
  readFileSync(new URL('../browser/manifest.json', import.meta.url), 'utf8')
) as UiManifest

const pageOf = (id: string): NavPage => ({
  id,
  plugin: 'notes',
  title: `The ${id}`,
  path: `/notes/${id}`,
  element: `notes-${id}`,
  module: `/m/${id}.js`,
  role: 'viewer',
  mount: '/notes'
})

const CLASS = 'class extends HTMLElement'
const KIT = `import { KeelsonPage, apiOf, definePage } from '@keelson/ui'; import { html } from 'lit';`

/** The modules of the pages, by id. */
const MODULES: Readonly<Record<string, string>> = {
  fine: `${KIT}
definePage('notes-fine', class extends KeelsonPage {
  kept = ['range', 'env']
  get windowTitle () { return this.params.get('note') ?? '' }
  content () {
    const ask = () => this.confirm({ heading: 'Delete it?', action: 'Delete' }).then(yes => this.toast({ text: 'Answer ' + yes }))
    return html\`<h1 tabindex="-1">Fine \${this.sub}</h1>
      <p id="params">\${this.params.toString()}</p>
      <a href=\${this.address({ note: 'one' })}>One</a> <a href="/notes/other/deep">Other</a> <a href="/elsewhere">Away</a>
      <button @click=\${ask}>Ask</button>
      <button @click=\${() => apiOf(this).attempt(() => apiOf(this).read('/api/secret'))}>Call</button>
      <button @click=\${() => this.page.navigate('/notes/other', { replace: true })}>Go</button>
      <button @click=\${() => { throw new Error('clicked wrong') }}>Break</button>\`
  }
})`,
  asks: `customElements.define('notes-asks', ${CLASS} {
  connectedCallback () { this.innerHTML = '<h1>Asks</h1>' }
  mayLeave (to) { return to.pathname === location.pathname && to.search !== '' || new Promise(answer => { window.mayLeave = answer }) }
})`,
  other: `customElements.define('notes-other', ${CLASS} { connectedCallback () { this.innerHTML = '<h1>Other</h1>' } })`,
  evaluates: `throw new Error('no import')`,
  imports: `import '/m/none.js'`,
  renders: `${KIT} definePage('notes-renders', class extends KeelsonPage { content () { throw new Error('no ink') } })`,
  named: `customElements.define('notes-misnamed', ${CLASS} {})`,
  connects: `customElements.define('notes-connects', ${CLASS} { connectedCallback () { throw new Error('no plug') } })`
}

const NAV: Nav = {
  title: 'Acme',
  sections: [{ id: 'notes', title: 'Notes', pages: ['fine', 'other'].map(pageOf) }],
  hidden: Object.keys(MODULES)
    .filter((id) => id !== 'fine' && id !== 'other')
    .map(pageOf),
  viewer: { tenantId: 'acme', role: 'admin', email: 'ann@acme.test' },
  routes: [],
  settings: {}
}

const SIGN_IN = { signIn: '/login', signOut: { address: '/logout', method: 'POST' } }

interface OpenOptions {
  readonly path?: string
  readonly nav?: Nav | 'none'
  readonly width?: number
  readonly view?: string
  readonly lang?: string
  /** Called with the address of each read of a number. */
  readonly onCount?: (url: string) => void
  /** More of the config blob. */
  readonly config?: object
}

/** Opens a document of the shell at an address. */
async function open(t: Parameters<typeof openElementPage>[0], options: OpenOptions = {}) {
  const { path = '/notes/fine', nav = NAV, width = 1280, view = 'shell', config: more } = options
  const element = view === 'sign-in' ? 'keelson-sign-in' : 'keelson-shell'
  const config = JSON.stringify({
    mountPath: '/',
    title: 'Acme',
    view,
    hint: 'Try ann.',
    ...SIGN_IN,
    ...more
  })
  const body = `<script type="application/json" id="keelson-config">${config}</script><${element}></${element}>`
  const opened = await openElementPage(t, { body, viewport: { width, height: 800 } })
  const { page } = opened
  const state = { nav, left: [] as string[], count: 0 as unknown }
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/shell/nav', (route) =>
    state.nav === 'none' ? route.abort() : route.fulfill({ json: state.nav })
  )
  await page.route('**/m/*.js', (route) => {
    const id = /\/m\/(\w+)\.js/.exec(route.request().url())?.[1] ?? ''
    const code = MODULES[id]
    return code === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ contentType: 'text/javascript', body: code })
  })
  await page.route('**/notes/api/**', (route) =>
    route.fulfill({ status: 401, json: { error: 'unauthenticated' } })
  )
  await page.route('**/notes/api/count', (route) => {
    options.onCount?.(route.request().url())
    return route.fulfill({ json: { count: state.count } })
  })
  await page.evaluate(
    async ([address, file, lang]) => {
      history.replaceState(null, '', address)
      document.documentElement.lang = lang ?? 'en'
      await import(file ?? '')
    },
    [path, `/${manifest.shell}`, options.lang]
  )
  /** The person comes back to the window, a while later. */
  const comeBackLater = () =>
    page.evaluate(() => {
      const now = Date.now() + 20_000
      Date.now = () => now
      document.dispatchEvent(new Event('visibilitychange'))
    })
  return { ...opened, state, logged, comeBackLater }
}

type Shell = Awaited<ReturnType<typeof open>>
const heading = ({ page }: Shell, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const pathOf = ({ page }: Shell) => new URL(page.url()).pathname

test(
  'the navigation takes along what a page keeps of its address, to pages of its plugin alone',
  browserOptions,
  async (t) => {
    const foreign = { ...pageOf('imports'), plugin: 'mail' }
    const sections = [{ ...NAV.sections[0], pages: [pageOf('fine'), pageOf('other'), foreign] }]
    const nav = { ...NAV, sections } as Nav
    const shell = await open(t, { path: '/notes/fine?range=24h&env=prod&note=today', nav })
    await heading(shell, 'Fine')
    const link = (name: string) => shell.page.getByRole('link', { name, exact: true })
    await shell.page.waitForFunction(() => document.title.includes('today'))
    t.equal(await link('The other').getAttribute('href'), '/notes/other?range=24h&env=prod')
    t.equal(await link('The imports').getAttribute('href'), '/notes/imports')
    t.equal(await link('The fine').getAttribute('href'), '/notes/fine')
  }
)

test('a page is left by a link or Back once it agrees', browserOptions, async (t) => {
  const shell = await open(t, { path: '/notes/fine' })
  const { page } = shell
  const answer = (isLeft: boolean) =>
    page.evaluate(
      (may) => (window as unknown as { mayLeave(is: boolean): void }).mayLeave(may),
      isLeft
    )
  const isAsked = () => page.waitForFunction(() => 'mayLeave' in window)
  const forget = () => page.evaluate(() => Reflect.deleteProperty(window, 'mayLeave'))
  await heading(shell, 'Fine')
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/notes/asks', id: 'asks' })
    document.body.append(link)
    link.click()
  })
  await heading(shell, 'Asks')
  await page.getByRole('link', { name: 'The other' }).click()
  await isAsked()
  t.equal(pathOf(shell), '/notes/asks')
  await answer(false)
  await forget()
  await page.evaluate(() => history.back())
  await isAsked()
  await page.waitForURL(/asks$/)
  await answer(true)
  await heading(shell, 'Fine')
  t.equal(pathOf(shell), '/notes/fine')
})

test('after Back the focus is on the link that was followed', browserOptions, async (t) => {
  const shell = await open(t, { path: '/notes/fine' })
  const { page } = shell
  await page.getByRole('link', { name: 'Other', exact: true }).click()
  await heading(shell, 'Other')
  await page.goBack()
  await heading(shell, 'Fine')
  await page.waitForFunction(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.textContent === 'Other'
  })
  t.pass()
})

test('sections fold and stay folded, but for the page that is shown', browserOptions, async (t) => {
  const shell = await open(t)
  const { page } = shell
  const section = page.getByRole('button', { name: 'Notes', exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('The other').waitFor()
  await section.click()
  await link('The other').waitFor({ state: 'detached' })
  t.equal(await section.getAttribute('aria-expanded'), 'false')
  t.equal(await link('The fine').count(), 1)
  t.equal(await page.evaluate(() => localStorage.getItem('keelson-folded-sections')), 'notes')
  await section.press('Enter')
  await link('The other').waitFor()
})

test('the entry of the page is in view, however many there are', browserOptions, async (t) => {
  const pages = Array.from({ length: 40 }, (_, at) => ({ ...pageOf('other'), id: `other${at}` }))
  const sections = [{ id: 'many', title: 'Many', pages }, ...NAV.sections]
  const { page } = await open(t, { nav: { ...NAV, sections } })
  const entry = page.getByRole('link', { name: 'The fine', exact: true })
  await entry.waitFor()
  await page.waitForFunction(() => {
    const deep = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) => [
        one,
        ...(one.shadowRoot ? deep(one.shadowRoot) : [])
      ])
    const shown = deep(document).find((one) => one.matches('nav a[aria-current]'))
    const { top = -1, bottom = Infinity } = shown?.getBoundingClientRect() ?? {}
    return top >= 0 && bottom <= innerHeight
  })
  t.pass()
})

test(
  'an entry has the number that its plugin answers, and follows it',
  browserOptions,
  async (t) => {
    const badge = '/api/count'
    const pages = [pageOf('fine'), { ...pageOf('other'), badge }]
    const nav = { ...NAV, sections: [{ ...NAV.sections[0], pages }] } as Nav
    const shell = await open(t, { nav })
    const link = (name: string) => shell.page.getByRole('link', { name, exact: true })
    await link('The other').waitFor()
    shell.state.count = 120
    await shell.comeBackLater()
    await link('The other 99+').waitFor()
    shell.state.count = 3
    await shell.comeBackLater()
    await link('The other 3').waitFor()
    shell.state.count = 'secret'
    await shell.comeBackLater()
    await link('The other').waitFor()
    t.equal(await link('The fine').count(), 1)
  }
)

test(
  'a number that came with the navigation is not asked for until a while later',
  browserOptions,
  async (t) => {
    const badge = '/api/count'
    const pages = [{ ...pageOf('fine'), badge, count: 5 }, pageOf('other')]
    const nav = { ...NAV, sections: [{ ...NAV.sections[0], pages }] } as Nav
    const asked: string[] = []
    const shell = await open(t, { nav, onCount: (url) => asked.push(url) })
    const link = (name: string) => shell.page.getByRole('link', { name, exact: true })
    await link('The fine 5').waitFor()
    shell.state.count = 6
    await link('The other').click()
    await heading(shell, 'Other')
    t.same(asked, [])
    await shell.comeBackLater()
    await link('The fine 6').waitFor()
    t.equal(asked.length, 1)
  }
)

test(
  'an entry draws the icon that it names, and a circle for another name',
  browserOptions,
  async (t) => {
    const iconed = (id: string, icon: string) => ({ ...pageOf(id), icon })
    const pages = [iconed('fine', 'bell'), iconed('other', 'unheard-of'), pageOf('imports')]
    const { page } = await open(t, {
      nav: { ...NAV, sections: [{ ...NAV.sections[0], pages }] } as Nav
    })
    await page.locator('nav li svg').nth(2).waitFor()
    const drawn = await page
      .locator('nav li path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
    t.equal(new Set(drawn).size, 2)
    t.equal(drawn[1], drawn[2])
    t.equal(await page.getByRole('link', { name: 'The fine', exact: true }).count(), 1)
  }
)

test(
  'keys without Ctrl can be turned off from the list of keys, in this browser',
  browserOptions,
  async (t) => {
    const shell = await open(t)
    await heading(shell, 'Fine')
    const { page } = shell
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    t.equal(await list.isVisible(), false)
    t.equal(await page.evaluate(() => localStorage.getItem('keelson-keys')), 'off')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).check()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await list.waitFor()
  }
)

test('the end of loading is announced', browserOptions, async (t) => {
  const shell = await open(t)
  await heading(shell, 'Fine')
  const status = shell.page.locator('keelson-shell > [role=status], keelson-shell .busy').first()
  const said = () => status.textContent().then((text) => text?.trim())
  const busy = (isBusy: boolean) =>
    shell.page.evaluate((value) => {
      const event = { bubbles: true, composed: true, detail: { busy: value } }
      document
        .querySelector('keelson-shell')
        ?.shadowRoot?.querySelector('keelson-frame')
        ?.dispatchEvent(new CustomEvent('keelson-busy', event))
    }, isBusy)
  t.equal(await said(), '')
  await busy(true)
  t.equal(await said(), 'Loading')
  await busy(false)
  t.equal(await said(), 'Loaded')
})

for (const [id, words] of [
  ['evaluates', 'no import'],
  ['imports', 'Failed to fetch dynamically imported module'],
  ['renders', 'no ink'],
  ['named', 'does not define the element notes-named'],
  ['connects', 'no plug']
] as const) {
  test(
    `a page that fails (${id}) is named, logged with its stack, and alone`,
    browserOptions,
    async (t) => {
      const shell = await open(t, { path: `/notes/${id}` })
      const alert = shell.page.locator('[role=alert]')
      await alert.getByText(words).waitFor()
      await alert.getByRole('heading', { name: `The ${id} could not be shown` }).waitFor()
      const logged = [...shell.logged, ...shell.faults].join('\n')
      t.match(logged, new RegExp(words))
      if (id === 'evaluates' || id === 'renders') t.match(logged, new RegExp(`at .*/m/${id}\\.js`))
      await shell.page.getByRole('link', { name: 'The other' }).click()
      await heading(shell, 'Other')
    }
  )
}

test(
  'an error of a page that is shown is a toast, and the page stays',
  browserOptions,
  async (t) => {
    const shell = await open(t)
    await shell.page.getByRole('button', { name: 'Break' }).click()
    await shell.page.getByText('An error occurred: clicked wrong').waitFor()
    await heading(shell, 'Fine')
  }
)

test('Try again reads the navigation and the module again', browserOptions, async (t) => {
  const shell = await open(t, { path: '/notes/evaluates' })
  await shell.page.locator('[role=alert]').waitFor()
  const repaired = { ...pageOf('evaluates'), module: '/m/other.js', element: 'notes-other' }
  shell.state.nav = { ...NAV, hidden: [repaired] }
  await shell.page.getByRole('button', { name: 'Try again' }).click()
  await heading(shell, 'Other')
})

test(
  'links of a page change its address and the title of the window',
  browserOptions,
  async (t) => {
    const shell = await open(t)
    await heading(shell, 'Fine')
    t.equal(await shell.page.title(), 'The fine · Acme')
    await shell.page.getByRole('link', { name: 'One' }).click()
    await shell.page.locator('#params', { hasText: 'note=one' }).waitFor()
    t.equal(await shell.page.title(), 'one · The fine · Acme')
    await shell.page.goBack()
    await shell.page.waitForFunction(() => location.search === '')
    t.equal(await shell.page.title(), 'The fine · Acme')
  }
)

test('a page goes to another page, by link or by its host', browserOptions, async (t) => {
  const shell = await open(t)
  await shell.page.getByRole('link', { name: 'Other', exact: true }).click()
  await heading(shell, 'Other')
  t.equal(pathOf(shell), '/notes/other/deep')
  await shell.page.goBack()
  await shell.page.getByRole('button', { name: 'Go' }).click()
  await heading(shell, 'Other')
  t.equal(pathOf(shell), '/notes/other')
})

test('questions and messages of a page are shown by the shell', browserOptions, async (t) => {
  const shell = await open(t)
  await shell.page.getByRole('button', { name: 'Ask' }).click()
  await shell.page.getByRole('dialog', { name: 'Delete it?' }).waitFor()
  await shell.page.getByRole('button', { name: 'Delete' }).click()
  await shell.page.getByText('Answer true').waitFor()
  await shell.page.getByRole('button', { name: 'Ask' }).click()
  await shell.page.getByRole('dialog', { name: 'Delete it?' }).waitFor()
  await shell.page.keyboard.press('Escape')
  await shell.page.getByText('Answer false').waitFor()
})

test('an answer of 401 offers to sign in, once', browserOptions, async (t) => {
  const shell = await open(t)
  await shell.page.getByRole('button', { name: 'Call' }).click()
  await shell.page.getByText('You are signed out. Sign in again.').waitFor()
  t.equal(await shell.page.getByRole('button', { name: 'Sign in' }).count(), 1)
  t.equal(await shell.page.getByText('You have been signed out.').count(), 0)
})

test('an unknown address says so and leads to the first page', browserOptions, async (t) => {
  const shell = await open(t, { path: '/notes/unknown' })
  await heading(shell, 'Page not found')
  await shell.page.getByRole('link', { name: 'Go to The fine' }).click()
  await heading(shell, 'Fine')
})

test('without pages the start says so', browserOptions, async (t) => {
  const shell = await open(t, { path: '/', nav: { ...NAV, sections: [], hidden: [] } })
  await heading(shell, 'No pages yet')
})

test(
  'a navigation that cannot be read is an error that can be tried again',
  browserOptions,
  async (t) => {
    const shell = await open(t, { nav: 'none' })
    await shell.page.locator('[role=alert]').getByText('The server cannot be reached').waitFor()
    shell.state.nav = NAV
    await shell.page.getByRole('button', { name: 'Try again' }).click()
    await heading(shell, 'Fine')
  }
)

test('? lists the keys in force, and Escape closes the list', browserOptions, async (t) => {
  const shell = await open(t)
  await heading(shell, 'Fine')
  await shell.page.keyboard.press('?')
  const list = shell.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.waitFor()
  await shell.page.getByText('Show this list').waitFor()
  await shell.page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
})

test(
  'on a phone the navigation is a menu that closes with the choice',
  browserOptions,
  async (t) => {
    const shell = await open(t, { width: 380 })
    await heading(shell, 'Fine')
    await shell.page.getByRole('button', { name: 'Menu' }).click()
    await shell.page.getByRole('link', { name: 'The other' }).click()
    await heading(shell, 'Other')
    await shell.page.locator('dialog.side').waitFor({ state: 'hidden' })
  }
)

test('the theme that is chosen stays in this browser', browserOptions, async (t) => {
  const shell = await open(t)
  const scheme = () => shell.page.locator('html').getAttribute('data-scheme')
  await shell.page.getByRole('button', { name: 'Dark' }).click()
  t.equal(await scheme(), 'dark')
  t.equal(await shell.page.evaluate(() => localStorage.getItem('keelson-theme')), 'dark')
  await shell.page.getByRole('button', { name: 'System' }).click()
  t.equal(await scheme(), null)
})

test('a sign-out that fails says so and leaves the page', browserOptions, async (t) => {
  const shell = await open(t)
  await shell.page.route('**/logout', (route) => route.fulfill({ status: 500 }))
  await shell.page.getByRole('button', { name: 'Sign out' }).click()
  await shell.page.getByText('Sign-out failed. Try again.').waitFor()
  await heading(shell, 'Fine')
})

test('signed out, the navigation offers to sign in and come back', browserOptions, async (t) => {
  const shell = await open(t, { nav: { ...NAV, viewer: null } })
  const link = shell.page.getByRole('link', { name: 'Sign in' })
  t.equal(await link.getAttribute('href'), '/login?next=%2Fnotes%2Ffine')
})

test(
  'signing in tells a missing field, a wrong password, too many attempts and a failure apart',
  browserOptions,
  async (t) => {
    const shell = await open(t, { path: '/login', view: 'sign-in' })
    const { page } = shell
    let status = 401
    await page.route('**/login', (route) => route.fulfill({ status, json: {} }))
    const submit = () => page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Try ann.').waitFor()
    await submit()
    await page.getByRole('alert').getByText('Enter your email and password.').waitFor()
    await page.getByLabel('Email').fill('ann@acme.test')
    await page.getByLabel('Password').fill('wrong')
    for (const [answer, words] of [
      [401, 'The email or the password is wrong.'],
      [429, 'Too many attempts.'],
      [500, 'Sign-in failed: The server answered 500.']
    ] as const) {
      status = answer
      await submit()
      await page.getByRole('alert').getByText(words).waitFor()
    }
  }
)

test(
  'the sign-in names the application that asks, its host and logo',
  browserOptions,
  async (t) => {
    const purpose = { name: 'Example App', host: 'app.example.test', logo: '/logo.png' }
    const { page } = await open(t, { path: '/login', view: 'sign-in', config: { purpose } })
    const box = page.locator('.purpose')
    await box.getByText('to continue to Example App').waitFor()
    t.equal(await box.locator('small').textContent(), 'app.example.test')
    t.equal(await box.locator('img').getAttribute('src'), '/logo.png')
    // A logo that is missing leaves no gap.
    await box.locator('img').waitFor({ state: 'hidden' })
  }
)

test('the sign-in fills in the person that an application expects', browserOptions, async (t) => {
  const { page } = await open(t, { path: '/login?login_hint=ann%40acme.test', view: 'sign-in' })
  t.equal(await page.getByLabel('Email').inputValue(), 'ann@acme.test')
  t.ok(await page.getByLabel('Password').evaluate((field) => field.matches(':focus')))
})

test(
  'the sign-in is German in a German document, and stays so when it fails',
  browserOptions,
  async (t) => {
    const purpose = { name: 'Example App' }
    const config = { purpose, hint: undefined }
    const { page } = await open(t, { path: '/login', view: 'sign-in', lang: 'de-AT', config })
    let status = 401
    await page.route('**/login', (route) => route.fulfill({ status, json: {} }))
    const submit = () => page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByText('Weiter zu Example App').waitFor()
    t.equal(await page.title(), 'Anmelden · Acme')
    const [, ...shown] = (await shownText(page)).trim().split('\n')
    t.same(shown, [
      'Acme',
      'Anmelden',
      'Weiter zu Example App',
      'E-Mail-Adresse',
      'Passwort',
      'Anmelden'
    ])
    await submit()
    await page.getByRole('alert').getByText('Geben Sie E-Mail-Adresse und Passwort ein.').waitFor()
    await page.getByLabel('E-Mail-Adresse').fill('ann@acme.test')
    await page.getByLabel('Passwort').fill('falsch')
    for (const [answer, words] of [
      [401, 'E-Mail-Adresse oder Passwort ist falsch.'],
      [429, 'Zu viele Versuche.'],
      [500, 'Anmeldung fehlgeschlagen: Der Server hat mit 500 geantwortet.']
    ] as const) {
      status = answer
      await submit()
      await page.getByRole('alert').getByText(words).waitFor()
    }
  }
)
