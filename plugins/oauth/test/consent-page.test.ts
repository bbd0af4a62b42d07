// The consent page: its rules, and the page in a browser before the real server.
// Runs beside the others: it waits for much of its time.

import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  faultsInEveryLook
} from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import type { ConsentView } from '../consent/consent-schema.ts'
import {
  approvalOf,
  contextOf,
  givenScopes,
  leftOut,
  marksOf,
  mayFollow,
  obstacleOf,
  staysHere,
  untickedOf
} from '../pages/consent/answer.ts'
import {
  ANN,
  authorizeAddress,
  BOB,
  CALLBACK,
  createClient,
  openBrowser,
  sharedPlatform
} from './page-host.ts'

tap.teardown(closeBrowser)

const scope = (id: string, isNew = true) => ({ id, label: id, isNew })
const ANSWER: ConsentView = {
  client: { name: 'Example' },
  scopes: [scope('openid'), scope('read')],
  issuer: { name: 'Acme' },
  offline: { isRequested: false, accessSeconds: 3600 },
  resources: [],
  user: { displayName: null },
  redirect: { host: 'app.example.test', loopback: false },
  expiresAt: '2030-01-01T00:00:00.000Z'
}
const CONTEXTS = [
  { id: 'a', label: 'Org A' },
  { id: 'b', label: 'Org B' }
]

test('every scope but openid can be removed', async (t) => {
  t.same(givenScopes(ANSWER.scopes, new Set()), ['openid', 'read'])
  t.same(givenScopes(ANSWER.scopes, new Set(['openid', 'read'])), ['openid'])
})

test('approval needs a scope, and a context where there are several', async (t) => {
  const choice = { without: new Set<string>(), offline: undefined, context: '' }
  const withoutRead = { ...choice, without: new Set(['read']) }
  t.equal(approvalOf({ ...ANSWER, scopes: [scope('read')] }, withoutRead), undefined)
  t.equal(approvalOf({ ...ANSWER, contexts: CONTEXTS }, choice), undefined)
  t.equal(approvalOf({ ...ANSWER, contexts: [] }, choice), undefined)
  t.same(approvalOf({ ...ANSWER, contexts: CONTEXTS }, { ...withoutRead, context: 'b' }), {
    approve: true,
    scopes: ['openid'],
    offline: false,
    contextId: 'b'
  })
})

test('access is kept as the client asked, unless the person chooses otherwise', async (t) => {
  const asking = {
    ...ANSWER,
    scopes: [scope('openid'), scope('offline_access')],
    offline: { isRequested: true, accessSeconds: 3600 }
  }
  const choice = { without: new Set<string>(), offline: undefined, context: '' }
  const given = (answer: ConsentView, offline: boolean | undefined) =>
    approvalOf(answer, { ...choice, offline })
  const approve = true
  t.same(given(asking, undefined), { approve, scopes: ['openid', 'offline_access'], offline: true })
  t.same(given(asking, false), { approve, scopes: ['openid'], offline: false })
  t.same(given(ANSWER, undefined), { approve, scopes: ['openid', 'read'], offline: false })
  t.same(given(ANSWER, true), { approve, scopes: ['openid', 'read'], offline: true })
})

test('the only context is preselected; of several one must be chosen', async (t) => {
  t.equal(contextOf({}, 'a'), undefined)
  t.equal(contextOf({ contexts: CONTEXTS.slice(0, 1) }, ''), 'a')
  t.equal(contextOf({ contexts: CONTEXTS }, 'z'), undefined)
})

test('of new scopes and those that were allowed before, the fewer are marked', async (t) => {
  t.equal(marksOf([scope('a'), scope('b')]), 'none')
  t.equal(marksOf([scope('a', false)]), 'none')
  t.equal(marksOf([scope('a', false), scope('b')]), 'new')
  t.equal(marksOf([scope('openid', false), scope('b'), scope('c')]), 'before')
  t.equal(marksOf([scope('a', false), scope('b'), scope('c')]), 'new', 'more than before')
})

test('a sensitive scope that is new must be chosen, unless nothing else is asked for', async (t) => {
  const write = { ...scope('write'), sensitive: true }
  t.same([...untickedOf([scope('openid'), write])], ['write'])
  t.same([...untickedOf([scope('openid'), { ...write, isNew: false }])], [])
  t.same([...untickedOf([write, scope('offline_access')])], [])
})

test('what a step-up asks for is ticked, and what is left out is named', async (t) => {
  const write = { ...scope('write'), sensitive: true }
  t.same([...untickedOf([scope('read', false), write])], [], 'more than the person granted before')
  t.same(
    [...untickedOf([scope('openid', false), scope('read'), write])],
    ['write'],
    'a sign-in is none'
  )
  const all = [scope('openid'), scope('read'), write, scope('offline_access')]
  t.same(leftOut(all, new Set(['write', 'openid', 'offline_access'])), [write.label])
  t.same(leftOut(all, new Set()), [])
})

test('an address with a script scheme is not followed', async (t) => {
  const base = 'https://here.test/account/consent'
  t.ok(mayFollow('https://app.test/?code=1', base))
  t.ok(mayFollow('/oauth/response?d=1', base))
  t.ok(mayFollow('cursor://callback?code=1', base))
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'https://', 'blob:https://a/b']) {
    t.notOk(mayFollow(bad, base), bad)
  }
  t.ok(staysHere('cursor://callback', base))
  t.notOk(staysHere('/oauth/response', base))
})

test('obstacles are distinguished from network errors', async (t) => {
  const of = (status: number) => obstacleOf({ status })
  t.same([401, 403, 404, 500, 429].map(of), ['signedOut', 'foreign', 'over', undefined, undefined])
  t.equal(obstacleOf(new TypeError('Failed to fetch')), undefined)
})

const platformOf = sharedPlatform(tap)

async function atConsent(
  t: Test,
  { client = {}, request = {}, browser = {} }: Record<string, object> = {}
) {
  const platform = await platformOf()
  const made = await createClient(platform, client)
  const opened = await openBrowser(t, browser)
  await opened.page.goto(authorizeAddress(platform, made, request as Record<string, string>))
  return { platform, ...opened, client: made }
}

const heading = /Allow Example App access\?/
/** Past the moment in which clicks do not count. */
const settle = (page: Page) => page.locator('.answer[data-calm]').waitFor()

/** Presses Allow again when the window got the focus just then: the page ignores that press on purpose. */
async function allow(page: Page): Promise<void> {
  for (let press = 0; press < 5; press++) {
    await settle(page)
    const posted = page
      .waitForRequest((request) => request.postData()?.includes('"approve":true') === true, {
        timeout: 5_000
      })
      .catch(() => undefined)
    await page.getByRole('button', { name: 'Allow' }).click()
    if ((await posted) !== undefined) return
  }
}

test(
  'access is allowed: the client gets a code, and keeps its state',
  browserOptions,
  async (t) => {
    const { page, faults, arrived } = await atConsent(t)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    t.equal(await page.locator('.target').textContent(), 'app.example.test')
    t.match(await page.locator('.brand').textContent(), /\S/, 'the platform is named')
    t.match(await page.locator('.head').textContent(), /Ann Arbor · ann@acme\.test/)
    t.equal(await page.getByRole('checkbox').count(), 4)
    const keeps = page.getByRole('checkbox', { name: 'Keep access while you are away' })
    t.notOk(await keeps.isChecked(), 'the client did not ask for it')
    t.ok(await page.getByRole('checkbox', { name: 'Know who you are' }).isDisabled())
    t.match(
      await page.locator('.scope', { hasText: 'Send mail' }).textContent(),
      /Send mail in your name\s+sensitive/
    )
    t.equal(await page.getByRole('navigation').count(), 0, 'nothing leads elsewhere')
    t.equal(await page.locator('.warning').count(), 0)
    await settle(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    t.match(await arrived(), { state: 'st', code: /^[\w-]{43,}$/, iss: 'http://127.0.0.1:3999' })
    t.same(faults, [])
  }
)

test(
  'a sensitive scope is granted only to those who choose it, a removed one never',
  browserOptions,
  async (t) => {
    const { page, platform, arrived } = await atConsent(t)
    const mail = page.getByRole('checkbox', { name: /Send mail/ })
    await mail.waitFor()
    t.notOk(await mail.isChecked())
    await mail.check()
    await mail.uncheck()
    await settle(page)
    await page.getByRole('button', { name: 'Allow' }).press('Enter')
    await arrived()
    const { items } = await platform.call<{ items: { scopes: string[] }[] }>(
      ANN,
      'GET',
      '/me/grants'
    )
    t.same(items[0]?.scopes, ['openid', 'telemetry:read'])
  }
)

test(
  'what a step-up asks for is ticked and marked as new, and Allow grants it',
  browserOptions,
  async (t) => {
    const opened = await atConsent(t, { request: { scope: 'openid telemetry:read' } })
    const { page, platform, arrived, client, faults } = opened
    const again = authorizeAddress(platform, client)
    await allow(page)
    await arrived()
    await page.goto(again)
    const mail = page.getByRole('checkbox', { name: /Send mail/ })
    await mail.waitFor()
    t.ok(await mail.isChecked(), 'the person just asked the client for it')
    const marked = await page.locator('.scope', { has: page.getByText('new') }).allTextContents()
    t.equal(marked.length, 1)
    t.match(marked[0], /Send mail in your name/)
    t.equal(await page.locator('#left-out').count(), 0)
    await allow(page)
    await arrived()
    t.same(await scopesOf(platform, client), ['mail:write', 'openid', 'telemetry:read'])
    t.same(faults, [])
  }
)

test('what a step-up leaves out is said at Allow, and not granted', browserOptions, async (t) => {
  const opened = await atConsent(t, { request: { scope: 'openid telemetry:read' } })
  const { page, platform, arrived, client } = opened
  const again = authorizeAddress(platform, client)
  await allow(page)
  await arrived()
  await page.goto(again)
  await page.getByRole('checkbox', { name: /Send mail/ }).uncheck()
  const button = page.getByRole('button', { name: 'Allow' })
  const saying = await button.getAttribute('aria-describedby')
  t.match(await page.locator(`#${saying}`).textContent(), /Not allowed: Send mail in your name/)
  t.same(await accessibilityFaults(page), [])
  await allow(page)
  await arrived()
  t.same(await scopesOf(platform, client), ['openid', 'telemetry:read'])
})

/** What the signed-in person has granted to a client. */
async function scopesOf(
  platform: Awaited<ReturnType<typeof platformOf>>,
  { clientId }: { readonly clientId: string }
): Promise<readonly string[] | undefined> {
  const { items } = await platform.call<{
    items: { scopes: string[]; client: { clientId: string } }[]
  }>(ANN, 'GET', '/me/grants')
  return items.find(({ client }) => client.clientId === clientId)?.scopes.sort()
}

test('with nothing left on there is nothing to allow', browserOptions, async (t) => {
  const { page } = await atConsent(t, { request: { scope: 'telemetry:read' } })
  await page.getByRole('checkbox', { name: 'Read telemetry' }).uncheck()
  await page.getByText('Select at least one').waitFor()
  t.ok(await page.getByRole('button', { name: 'Allow' }).isDisabled())
  t.ok(await page.getByRole('button', { name: 'Deny' }).isEnabled())
})

test('access is denied: the client gets access_denied', browserOptions, async (t) => {
  const { page, arrived } = await atConsent(t)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await settle(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  t.match(await arrived(), { error: 'access_denied', state: 'st' })
})

test('a click right after the content changed is ignored', browserOptions, async (t) => {
  const { page } = await atConsent(t)
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.waitFor()
  const posted: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && posted.push(request.url())))
  // In one go: a slow machine must not let the moment pass.
  await allow.evaluate((button) => {
    const { defaultView } = (button as HTMLElement).ownerDocument
    defaultView?.dispatchEvent(new Event('focus'))
    ;(button as HTMLElement).click()
  })
  t.same(posted, [])
  t.ok(await allow.isEnabled())
})

test('a program on this computer comes with a warning', browserOptions, async (t) => {
  const { page } = await atConsent(t, {
    client: { type: 'public', redirectUris: ['http://127.0.0.1/cb'] },
    request: { redirect_uri: 'http://127.0.0.1:61234/cb' }
  })
  await page.getByText('a program on this computer').waitFor()
  t.match(await page.locator('.target').textContent(), /^127\.0\.0\.1/)
})

test('after a redirect to an app the page says how to continue', browserOptions, async (t) => {
  const { page } = await atConsent(t, {
    client: { type: 'public', redirectUris: ['com.example.app://oauth/callback'] },
    request: { redirect_uri: 'com.example.app://oauth/callback' }
  })
  await page.getByText('an app on this device').waitFor()
  await settle(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  const link = page.getByRole('link', { name: 'Open the application' })
  await link.waitFor()
  t.match(await link.getAttribute('href'), /^com\.example\.app:\/\/oauth\/callback\?.*code=/)
  // Chromium asks here which app to open, and lets no click through to a later test.
  await page.close()
})

test('a request that was decided in another tab is shown as decided', browserOptions, async (t) => {
  const { page } = await atConsent(t)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  const address = page.url()
  const status =
    await page.evaluate(`fetch('/oauth/consent/' + new URLSearchParams(location.search).get('request_id'), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"approve":false}' })
    .then((response) => response.status)`)
  t.equal(status, 200)
  await allow(page)
  await page.getByRole('heading', { name: 'This request has expired' }).waitFor()
  await page.goto(address)
  await page.getByRole('heading', { name: 'This request has expired' }).waitFor()
  t.same(await accessibilityFaults(page), [])
})

test('a foreign or unknown request shows a message', browserOptions, async (t) => {
  const { page, platform } = await atConsent(t)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  platform.host.signIn(BOB)
  await page.reload()
  await page.getByRole('heading', { name: 'belongs to another user' }).waitFor()
  t.match(
    await page.locator('.notice').textContent(),
    /made by another person or in another browser/
  )
  await page.goto(`${platform.url}/account/consent`)
  await page.getByRole('heading', { name: 'This request has expired' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0)
})

test('a person who was signed out meanwhile signs in and comes back', browserOptions, async (t) => {
  const { page, platform } = await atConsent(t)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  const address = new URL(page.url())
  platform.host.signIn(null)
  await settle(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  const link = page.locator('.notice').getByRole('link', { name: 'Sign in' })
  await link.waitFor()
  const signIn = new URL((await link.getAttribute('href')) ?? '', address)
  t.equal(signIn.pathname, '/enter', 'the page of the host')
  t.equal(signIn.searchParams.get('by'), 'form')
  t.equal(signIn.searchParams.get('next'), `${address.pathname}${address.search}`)
  t.same(await accessibilityFaults(page), [])
})

test(
  'a decision that fails to arrive shows an error and can be sent again',
  browserOptions,
  async (t) => {
    const { page, arrived } = await atConsent(t)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.route('**/oauth/consent/*', (route) => route.abort())
    await settle(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('was not sent').waitFor()
    await page.unroute('**/oauth/consent/*')
    await page.getByRole('button', { name: 'Allow' }).click()
    t.match(await arrived(), { code: /./ })
  }
)

test('a request that fails to load can be loaded again', browserOptions, async (t) => {
  const platform = await platformOf()
  const client = await createClient(platform)
  const { page } = await openBrowser(t)
  await page.route('**/oauth/consent/*', (route) => route.abort())
  await page.goto(authorizeAddress(platform, client))
  await page.getByRole('alert').waitFor()
  t.same(await accessibilityFaults(page), [])
  await page.unroute('**/oauth/consent/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
})

test('one of several contexts must be chosen before approval', browserOptions, async (t) => {
  const platform = await platformOf()
  const { page, arrived } = await openBrowser(t)
  let body: unknown
  await page.route('**/oauth/consent/*', (route) => {
    const request = route.request()
    if (request.method() === 'POST') body = request.postDataJSON()
    const contexts = { contexts: CONTEXTS, contextsHasMore: true }
    const json = request.method() === 'POST' ? { redirectTo: CALLBACK } : { ...ANSWER, ...contexts }
    return route.fulfill({ json })
  })
  await page.goto(`${platform.url}/account/consent?request_id=x`)
  const choice = page.getByLabel('On behalf of')
  t.equal(await choice.inputValue(), '')
  t.ok(await page.getByRole('button', { name: 'Allow' }).isDisabled())
  await page.getByText('Only the first 2 are listed').waitFor()
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('contextId=b')),
    choice.selectOption('Org B')
  ])
  await settle(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await arrived()
  t.match(body, { approve: true, contextId: 'b' })
})

test('the consent page passes axe, light and dark, wide and narrow', browserOptions, async (t) => {
  const opened = await atConsent(t, {
    client: {
      branding: { publisher: 'Example Ltd', privacyUrl: 'https://example.test/privacy' }
    }
  })
  await opened.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  t.same(await faultsInEveryLook(opened.page), [])
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const CDN = 'https://cdn.example.test'

test('the logo of a client comes through the kernel and is shown', browserOptions, async (t) => {
  const { host } = await platformOf()
  host.outbound.get(CDN).intercept({ path: '/good.png' }).reply(200, PNG)
  const { page, faults } = await atConsent(t, {
    client: { branding: { logoUrl: `${CDN}/good.png` } }
  })
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await page.reload()
  const logo = page.locator('img.logo')
  await logo.waitFor()
  const width = logo.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return image.naturalWidth
  })
  t.equal(await width, 1)
  t.match(await logo.getAttribute('src'), /^\/oauth\/consent\/[\w-]+\/logo$/)
  t.same(
    asked.filter((url) => url.startsWith(CDN)),
    [],
    'the browser asks our own origin alone'
  )
  t.same(faults, [])
})

test(
  'a logo that cannot be fetched leaves no broken picture and no gap',
  browserOptions,
  async (t) => {
    const { host } = await platformOf()
    const cdn = host.outbound.get(CDN)
    cdn.intercept({ path: '/gone.png' }).reply(404, 'gone')
    cdn.intercept({ path: '/page.png' }).reply(200, '<html></html>')
    for (const file of ['gone', 'page']) {
      const { page } = await atConsent(t, {
        client: { branding: { logoUrl: `${CDN}/${file}.png` } }
      })
      const title = page.getByRole('heading', { level: 1, name: heading })
      await title.waitFor()
      const logo = page.locator('img.logo')
      await logo.waitFor({ state: 'hidden' })
      t.equal(await logo.count(), 1, 'it was tried')
      const left = (await page.locator('.head').boundingBox())?.x ?? 0
      const padding = await page
        .locator('.head')
        .evaluate((head) => Number.parseFloat(getComputedStyle(head).paddingInlineStart))
      t.equal(Math.round((await title.boundingBox())?.x ?? -1), Math.round(left + padding))
      t.same(await accessibilityFaults(page), [])
    }
  }
)
