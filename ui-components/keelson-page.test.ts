// A page in plain HTML, without a shell: its attributes are all it has. And the controllers it uses.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

type Opened = Awaited<ReturnType<typeof openElementPage>>

/** Defines a small page and puts it into a document that is not ours. */
async function openEmbedded(
  t: Parameters<typeof openElementPage>[0],
  attributes: string
): Promise<Opened> {
  const opened = await openElementPage(t)
  await opened.page.evaluate(async (given) => {
    const { definePage, KeelsonPage, Load } = await import('@keelson/ui')
    const { html } = await import('lit')
    class Sample extends KeelsonPage {
      readonly rows = new Load(this, {
        args: () => (this.apiBase === '' ? null : ([this.params.get('show') ?? 'all'] as const)),
        run: ([show], signal) => this.json<{ name: string }>(`/api/rows?show=${show}`, { signal })
      })
      protected override content() {
        const { status, value, error } = this.rows
        return html`<h1 tabindex="-1">${this.format.number(1234.5)}</h1>
          <p id="state">${status} ${value?.name ?? ''} ${error instanceof Error ? error.message : ''}</p>
          <a id="new" href=${this.address({ show: 'new' })}>New</a>
          <a id="away" href="/elsewhere">Away</a>`
      }
    }
    definePage('sample-page', Sample)
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const type of ['keelson-navigate', 'keelson-busy', 'keelson-error']) {
      addEventListener(type, (event) => {
        heard.push(`${type} ${JSON.stringify((event as CustomEvent).detail)}`)
      })
    }
    document
      .querySelector('main')
      ?.insertAdjacentHTML('beforeend', `<sample-page ${given}></sample-page>`)
  }, attributes)
  return opened
}

const heard = ({ page }: Opened) =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard)
const stateOf = ({ page }: Opened, text: string) =>
  page.locator('#state', { hasText: text }).waitFor()

test(
  'an embedded page calls the API of its api-base with credentials and speaks its locale',
  browserOptions,
  async (t) => {
    const embedded = await openEmbedded(t, 'locale="de"')
    const asked: string[] = []
    await embedded.page.route('**/mount/api/rows**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({ json: { name: 'seven' } })
    })
    await embedded.page
      .locator('sample-page')
      .evaluate((page) => page.setAttribute('api-base', '/mount'))
    await stateOf(embedded, 'complete seven')
    t.match(asked, [/\/mount\/api\/rows\?show=all$/])
    t.equal(await embedded.page.locator('h1[tabindex]').textContent(), '1.234,5')
    t.same(await heard(embedded), ['keelson-busy {"busy":true}', 'keelson-busy {"busy":false}'])
  }
)

test(
  'a page is drawn once its translation is there, and never in English before',
  browserOptions,
  async (t) => {
    const { page } = await openElementPage(t)
    await page.evaluate(async () => {
      const { definePage, KeelsonPage, registerCatalog } = await import('@keelson/ui')
      const { html } = await import('lit')
      let arrive: (texts: { default: Record<string, string> }) => void = () => {}
      const coming = new Promise<{ default: Record<string, string> }>((done) => {
        arrive = done
      })
      registerCatalog('en', { 'sample.hello': 'Hello' }, { de: () => coming })
      const seen: string[] = []
      class Late extends KeelsonPage {
        protected override content() {
          seen.push(this.t('sample.hello'))
          return html`<p>${this.t('sample.hello')}</p>`
        }
      }
      definePage('sample-late', Late)
      Object.assign(window, { seen, arrive })
      document
        .querySelector('main')
        ?.insertAdjacentHTML('beforeend', '<sample-late locale="de"></sample-late>')
      await new Promise(requestAnimationFrame)
    })
    const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
    t.same(await seen(), [], 'nothing is drawn yet')
    await page.evaluate(() =>
      (window as unknown as { arrive(texts: object): void }).arrive({
        default: { 'sample.hello': 'Hallo' }
      })
    )
    await page.getByText('Hallo').waitFor()
    t.same([...new Set(await seen())], ['Hallo'])
  }
)

test(
  'a link to another state of the page stays inside it and tells the host',
  browserOptions,
  async (t) => {
    const embedded = await openEmbedded(t, '')
    await embedded.page.route('**/mount/api/rows**', (route) =>
      route.fulfill({ json: { name: new URL(route.request().url()).search } })
    )
    await embedded.page
      .locator('sample-page')
      .evaluate((page) => page.setAttribute('api-base', '/mount'))
    await stateOf(embedded, '?show=all')
    const before = embedded.page.url()
    await embedded.page.locator('#new').click()
    await stateOf(embedded, '?show=new')
    t.equal(embedded.page.url(), before, 'the address of the host is not ours')
    t.match(
      (await heard(embedded)).find((line) => line.startsWith('keelson-navigate')),
      /show=new/
    )
  }
)

test(
  'a link of an embedded page keeps its state in a new tab where the host hands its address over',
  browserOptions,
  async (t) => {
    const open = async (handsOver: boolean, address?: string) => {
      const embedded = await openEmbedded(t, '')
      await embedded.page.route('**/mount/api/rows**', (route) =>
        route.fulfill({ json: { name: new URL(route.request().url()).search } })
      )
      await embedded.page.evaluate(
        ([hands, href]) => {
          if (href !== undefined) history.replaceState(null, '', String(href))
          const element = document.querySelector('sample-page') as HTMLElement & { route?: object }
          const show = () => {
            const { pathname: path, search, hash } = location
            element.route = { path, sub: '', params: new URLSearchParams(search), hash }
          }
          if (hands === true) {
            show()
            addEventListener('popstate', show)
            element.addEventListener('keelson-navigate', (event) => {
              event.preventDefault()
              history.pushState(null, '', (event as CustomEvent<{ href: string }>).detail.href)
              show()
            })
          }
          element.setAttribute('api-base', '/mount')
        },
        [handsOver, address] as const
      )
      return embedded
    }
    const first = await open(true)
    await stateOf(first, '?show=all')
    const link = first.page.locator('#new')
    await link.click()
    await stateOf(first, '?show=new')
    const href = new URL((await link.getAttribute('href')) ?? '', first.page.url())
    t.equal(first.page.url(), href.href, 'the address of the host has the state')
    await stateOf(await open(true, `${href.pathname}${href.search}`), '?show=new')
    await first.page.goBack()
    await stateOf(first, '?show=all')
    await stateOf(await open(false, `${href.pathname}${href.search}`), '?show=all')
    t.pass('without it a page has its own address')
  }
)

test(
  'links to other pages have the prefix and the origin of the platform',
  browserOptions,
  async (t) => {
    const linkOf = async (attributes: string): Promise<string> => {
      const { page } = await openEmbedded(t, attributes)
      return page.locator('sample-page').evaluate((one) =>
        (one as import('@keelson/ui').KeelsonPage).linkTo('/admin/mailer/sends', {
          status: 'unknown',
          kind: null
        })
      )
    }
    const query = '/admin/mailer/sends?status=unknown'
    t.equal(await linkOf('api-base="/mail"'), query)
    t.equal(await linkOf('api-base="/p/mail" api-prefix="/p"'), `/p${query}`)
    const away = 'api-base="https://platform.test/p/mail" api-prefix="/p"'
    t.equal(await linkOf(away), `https://platform.test/p${query}`)
  }
)

test('a host that takes navigation over decides alone', browserOptions, async (t) => {
  const embedded = await openEmbedded(t, '')
  await embedded.page.evaluate(() => {
    addEventListener('keelson-navigate', (event) => event.preventDefault())
  })
  const before = embedded.page.url()
  await embedded.page.locator('#away').click()
  t.same(await heard(embedded), ['keelson-navigate {"href":"/elsewhere","replace":false}'])
  t.equal(embedded.page.url(), before)
})

test('an answer that says no is an error with its words', browserOptions, async (t) => {
  const embedded = await openEmbedded(t, '')
  await embedded.page.route('**/mount/api/rows**', (route) =>
    route.fulfill({ status: 400, json: { error: 'bad_show', message: 'No such view.' } })
  )
  await embedded.page
    .locator('sample-page')
    .evaluate((page) => page.setAttribute('api-base', '/mount'))
  await stateOf(embedded, 'error')
  t.match(await embedded.page.locator('#state').textContent(), /No such view/)
})

test('a slow answer that is overtaken never shows', browserOptions, async (t) => {
  const embedded = await openEmbedded(t, '')
  let releaseFirst = () => {}
  const first = new Promise<void>((resolve) => {
    releaseFirst = resolve
  })
  await embedded.page.route('**/mount/api/rows**', async (route) => {
    const { search } = new URL(route.request().url())
    if (search === '?show=all') await first
    await route.fulfill({ json: { name: search } }).catch(() => {})
  })
  await embedded.page
    .locator('sample-page')
    .evaluate((page) => page.setAttribute('api-base', '/mount'))
  await stateOf(embedded, 'pending')
  await embedded.page.locator('#new').click()
  await stateOf(embedded, 'complete ?show=new')
  releaseFirst()
  t.match(await embedded.page.locator('#state').textContent(), /show=new/)
})

test('a host of another contract gets a readable notice', browserOptions, async (t) => {
  const embedded = await openEmbedded(t, '')
  await embedded.page.evaluate(() => {
    Object.assign(document.querySelector('sample-page') as object, {
      host: { version: 2, signal: new AbortController().signal }
    })
  })
  await embedded.page.getByRole('alert').getByText('needs version 1').waitFor()
  t.equal(await embedded.page.locator('#state').count(), 0)
})

test(
  'an error while drawing is an event, and thrown when nobody takes it',
  browserOptions,
  async (t) => {
    const embedded = await openEmbedded(t, '')
    const thrown = embedded.page.waitForEvent('pageerror')
    await embedded.page.evaluate(async () => {
      const { definePage, KeelsonPage } = await import('@keelson/ui')
      class Broken extends KeelsonPage {
        protected override content(): unknown {
          throw new Error('no ink')
        }
      }
      definePage('broken-page', Broken)
      addEventListener('keelson-error', (event) => event.preventDefault(), { once: true })
      document.body.append(document.createElement('broken-page'))
      await Promise.resolve()
      document.body.append(document.createElement('broken-page'))
    })
    t.equal((await heard(embedded)).filter((line) => line.startsWith('keelson-error')).length, 2)
    await thrown
    t.same(embedded.faults, ['no ink'], 'thrown once: the second time')
  }
)

test(
  'the language follows the document, and the same tag may be defined twice',
  browserOptions,
  async (t) => {
    const embedded = await openEmbedded(t, '')
    const title = embedded.page.locator('h1[tabindex]')
    await title.waitFor()
    t.equal(await title.textContent(), '1,234.5')
    await embedded.page.evaluate(() => {
      document.documentElement.lang = 'fr'
    })
    await embedded.page.waitForFunction(
      () =>
        document.querySelector('sample-page')?.shadowRoot?.querySelector('h1')?.textContent !==
        '1,234.5'
    )
    t.match(await title.textContent(), /1\s?234,5/u)
    await embedded.page.evaluate(async () => {
      const { definePage, define, KeelsonTable } = await import('@keelson/ui')
      definePage('sample-page', class extends HTMLElement {})
      define(KeelsonTable, KeelsonTable)
    })
    t.same(embedded.faults, [])
  }
)
