// Embedded pages: what a refused origin, a 401 and a colour scheme look like.
import type { KeelsonPage } from '@keelson/ui'
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

/** A page that reads `/api/rows`; the banner of the base class shows a failed read. */
async function openEmbedded(t: Parameters<typeof openElementPage>[0], attributes: string) {
  const opened = await openElementPage(t)
  await opened.page.evaluate(async (given) => {
    const { apiOf, controls, definePage, KeelsonPage, Load } = await import('@keelson/ui')
    const { html } = await import('lit')
    class Sample extends KeelsonPage {
      static override readonly styles = controls
      readonly rows = new Load(this, {
        args: () => (this.apiBase === '' ? null : ([this.apiBase] as const)),
        run: (_args, signal) => apiOf(this).read('/api/rows', signal)
      })
      protected override content() {
        return html`<h1>Rows</h1>`
      }
    }
    definePage('sample-rows', Sample)
    document
      .querySelector('main')
      ?.insertAdjacentHTML('beforeend', `<sample-rows ${given}></sample-rows>`)
  }, attributes)
  return opened
}

test('an origin that is not allowed is named, with the setting', browserOptions, async (t) => {
  const { page } = await openEmbedded(t, 'api-base="http://127.0.0.1:9/telemetry"')
  const text = await page.locator('[role=alert] p').textContent()
  t.match(text, /http:\/\/127\.0\.0\.1:9 cannot be reached/)
  t.match(text, new RegExp(`${new URL(page.url()).origin} is missing in auth.embedOrigins`))
})

test('an own server that does not answer says nothing of origins', browserOptions, async (t) => {
  const { page } = await openEmbedded(t, '')
  await page.route('**/mount/api/rows', (route) => route.abort())
  await page.locator('sample-rows').evaluate((one) => one.setAttribute('api-base', '/mount'))
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
})

test(
  'an embedded page finds addresses that manifests declare by origin and prefix',
  browserOptions,
  async (t) => {
    const { page } = await openEmbedded(t, 'api-base="https://k.test/platform/tools/mail"')
    const at = () =>
      page
        .locator('sample-rows')
        .evaluate((one) => (one as unknown as KeelsonPage).page.at('/admin/mail/api').href)
    t.equal(await at(), 'https://k.test/admin/mail/api')
    await page.locator('sample-rows').evaluate((one) => one.setAttribute('api-prefix', '/platform'))
    t.equal(await at(), 'https://k.test/platform/admin/mail/api')
  }
)

test('a 401 leads to the sign-in page that the host names', browserOptions, async (t) => {
  const { page } = await openEmbedded(t, 'sign-in="/account/sign-in"')
  await page.route('**/mount/api/rows', (route) =>
    route.fulfill({ status: 401, json: { error: 'unauthenticated', message: 'No session.' } })
  )
  await page.locator('sample-rows').evaluate((one) => one.setAttribute('api-base', '/mount'))
  await page.getByText('You are signed out. Sign in again.').waitFor()
  t.equal(
    await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
    '/account/sign-in'
  )
})

test('without a sign-in page a 401 has neither a link nor a button', browserOptions, async (t) => {
  const { page } = await openEmbedded(t, '')
  await page.route('**/mount/api/rows', (route) => route.fulfill({ status: 401, json: {} }))
  await page.locator('sample-rows').evaluate((one) => one.setAttribute('api-base', '/mount'))
  await page.getByText('You are signed out. Sign in again.').waitFor()
  t.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0)
  t.equal(await page.getByRole('button').count(), 0)
})

test(
  'a colour scheme paints the canvas of the page; without one the host’s stays',
  browserOptions,
  async (t) => {
    const { page } = await openEmbedded(t, 'color-scheme="dark"')
    const background = () =>
      page.locator('sample-rows').evaluate((one) => getComputedStyle(one).backgroundColor)
    t.equal(await background(), 'rgb(15, 19, 26)')
    await page.locator('sample-rows').evaluate((one) => one.removeAttribute('color-scheme'))
    t.equal(await background(), 'rgba(0, 0, 0, 0)')
  }
)

/** A page that reads whatever its address is, and shows what it has. */
async function openReading(t: Parameters<typeof openElementPage>[0], attributes: string) {
  const opened = await openElementPage(t)
  await opened.page.evaluate(async (given) => {
    const { apiOf, definePage, KeelsonPage, Load } = await import('@keelson/ui')
    const { html } = await import('lit')
    class Reading extends KeelsonPage {
      readonly rows = new Load(this, {
        args: () => [] as const,
        run: (_args, signal) => apiOf(this).read<{ name: string }>('/api/rows', signal)
      })
      protected override content() {
        return html`<p id="rows">${this.rows.value?.name ?? 'nothing'}</p>`
      }
    }
    definePage('reading-rows', Reading)
    document
      .querySelector('main')
      ?.insertAdjacentHTML('beforeend', `<reading-rows ${given}></reading-rows>`)
  }, attributes)
  const set = (name: string, value: string) =>
    opened.page
      .locator('reading-rows')
      .evaluate((one, [key, text]) => one.setAttribute(key ?? '', text ?? ''), [name, value])
  const shows = (text: string) => opened.page.locator('#rows', { hasText: text }).waitFor()
  const says = (text: RegExp) => opened.page.getByRole('alert').getByText(text).waitFor()
  await opened.page.route('**/first/api/rows', (route) => route.fulfill({ json: { name: 'one' } }))
  await opened.page.route('**/second/api/rows', (route) => route.fulfill({ json: { name: 'two' } }))
  for (const [mount, status] of [
    ['html', 200],
    ['gone', 404]
  ] as const) {
    const answer = { status, contentType: 'text/html', body: '<h1>Our site</h1>' }
    await opened.page.route(`**/${mount}/api/rows`, (route) => route.fulfill(answer))
  }
  return { ...opened, set, shows, says }
}

test(
  'without api-base a page says so; it reads again when the attribute is set or changed',
  browserOptions,
  async (t) => {
    const { set, shows, says, faults } = await openReading(t, '')
    await says(/^Set api-base as .embed lists it/)
    await set('api-base', '/first')
    await shows('one')
    await set('api-base', '/second')
    await shows('two')
    t.same(faults, [])
  }
)

test('a wrong api-base is named, and nothing of the right one stays', browserOptions, async (t) => {
  const { page, set, shows, says } = await openReading(t, '')
  await set('api-base', '/first')
  await shows('one')
  for (const mount of ['html', 'gone']) {
    await set('api-base', `/${mount}`)
    await says(new RegExp(`/${mount}/api/rows is not the API`))
    await shows('nothing')
  }
  await set('api-base', '/second')
  await shows('two')
  t.equal(await page.getByRole('alert').count(), 0)
})

test('with getToken a call has the token and no cookie', browserOptions, async (t) => {
  const { page, set, shows } = await openReading(t, '')
  await page.context().addCookies([{ name: 'sid', value: '1', url: page.url() }])
  const sent: (string | undefined)[] = []
  await page.route('**/third/api/rows', async (route) => {
    const headers = await route.request().allHeaders()
    sent.push(headers['authorization'], headers['cookie'])
    return route.fulfill({ json: { name: 'three' } })
  })
  await page.locator('reading-rows').evaluate((one) => {
    Object.assign(one, { getToken: async () => 'a-token' })
  })
  await set('api-base', '/third')
  await shows('three')
  t.same(sent.slice(-2), ['Bearer a-token', undefined])
})

test(
  'a chart whose file cannot be loaded is named, with a button that tries again',
  browserOptions,
  async (t) => {
    const opened = await openElementPage(t)
    await opened.page.route(/chart[^/]*\.js/, (route) => route.abort())
    await opened.page.evaluate(async () => {
      const { chartLoad, definePage, KeelsonPage } = await import('@keelson/ui')
      class Drawing extends KeelsonPage {
        readonly chart = chartLoad(this)
      }
      definePage('drawing-page', Drawing)
      document.querySelector('main')?.append(document.createElement('drawing-page'))
    })
    const alert = opened.page.locator('drawing-page').getByRole('alert')
    await alert.getByText(/cannot be reached/).waitFor()
    await opened.page.unroute(/chart[^/]*\.js/)
    await alert.getByRole('button', { name: 'Try again' }).waitFor()
    t.same(
      opened.faults.filter((fault) => !fault.includes('ERR_FAILED')),
      [],
      'no rejection is left unhandled'
    )
  }
)
