// A shared page in the frame of another site, in a browser without any cookie: what it reads, and what it must not.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import embedsPlugin from '@keelson/embeds'
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import telemetryPlugin from '@keelson/telemetry'
import dashboardPlugin from '@keelson/telemetry-dashboard'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'

tap.teardown(closeBrowser)

const registry = {
  'account.signed_up': { kind: 'event', origin: 'any', subjects: ['user'], attrs: ['plan'] }
}
const headers = { 'x-viewer': 'acme:admin' }

async function openHost(t: Test) {
  const host = await createTestHost({
    plugin: embedsPlugin,
    plugins: [telemetryPlugin, dashboardPlugin],
    platform: {
      plugins: {
        telemetry: { config: { registry, pepper: 'pepper of a test' } },
        'telemetry-dashboard': { mount: '/telemetry' }
      }
    }
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  await record(host)
  const share = async (page: string, query?: Readonly<Record<string, string>>) => {
    const answer = await host.app.inject({
      method: 'POST',
      url: '/embeds/api/grants',
      headers,
      payload: { plugin: 'telemetry-dashboard', page, ...(query !== undefined && { query }) }
    })
    return answer.json() as { address: string; token: string; grant: { id: string } }
  }
  return { host, url, share }
}

/** Records sign-ups of the last minutes. */
async function record({ app, clock }: TestHost) {
  const key = await app.inject({
    method: 'POST',
    url: '/telemetry/api/system/keys',
    headers,
    payload: { kind: 'secret', tenantMode: 'fixed', tenantId: 'acme', service: 'web', env: 'dev' }
  })
  const records = [1, 2, 3].map((at) => ({
    _id: `signed-up-${at}`.padEnd(16, '0'),
    name: 'account.signed_up',
    occurredAt: new Date(clock.now().getTime() - at * 60_000).toISOString(),
    subjects: [{ type: 'user', id: `u${at}` }],
    attrs: { plan: 'pro' }
  }))
  const sent = await app.inject({
    method: 'POST',
    url: '/ingest',
    headers: { authorization: `Bearer ${key.json().key}` },
    payload: { records, release: 'web@1' }
  })
  if (sent.json().accepted !== records.length) throw new Error(key.body + sent.body)
}

/** A page of another site with a frame. */
async function siteWith(t: Test, src: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>Customer</title><iframe src="${src}" width="1000" height="600"></iframe>`
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(async () => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

for (const name of ['events', 'overview']) {
  test(
    `the shared page ${name} reads all that it shows, with the token alone`,
    browserOptions,
    async (t) => {
      const { url, share } = await openHost(t)
      const { page, faults } = await openPage(t)
      const calls: { path: string; status: number; authorization: string | undefined }[] = []
      page.on('response', async (response) => {
        const { pathname } = new URL(response.url())
        if (!pathname.startsWith('/telemetry/api/')) return
        const { authorization, cookie } = await response.request().allHeaders()
        calls.push({ path: pathname, status: response.status(), authorization })
        t.equal(cookie, undefined, pathname)
      })
      const { address } = await share(name)
      await page.goto(await siteWith(t, `${url}${address}`))
      const frame = page.frameLocator('iframe')
      await frame.locator(`telemetry-dashboard-${name} h1`).waitFor()
      if (name === 'events') {
        await frame.locator('tbody tr[data-id]').first().click()
        await frame.getByRole('dialog').waitFor()
      }
      await page.waitForLoadState('networkidle')
      t.ok(calls.length > 1, 'the page reads')
      for (const { path, status, authorization } of calls) {
        t.equal(status, 200, path)
        t.match(authorization, /^Bearer kse_/, path)
      }
      t.same(faults, [])
    }
  )
}

/** Of sign-ups, by people. */
const SIGN_UPS = { name: 'account.signed_up', measure: 'unique' }

test(
  'one chart is shown in a frame, over the ranges that the viewer picks',
  browserOptions,
  async (t) => {
    const { url, share } = await openHost(t)
    const { page, faults } = await openPage(t)
    const calls: [path: string, status: number][] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/telemetry/api/')) calls.push([pathname, response.status()])
    })
    const { address } = await share('chart', SIGN_UPS)
    await page.goto(await siteWith(t, `${url}${address}`))
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'account.signed_up', exact: true }).waitFor()
    await frame.locator('keelson-chart canvas').waitFor()
    await page.waitForLoadState('networkidle')
    const read = page.waitForResponse(/\/api\/series/)
    await frame.getByRole('button', { name: '24h' }).click()
    await read
    for (const call of calls) t.same(call, ['/telemetry/api/series', 200])
    t.same(faults, [])
  }
)

for (const [what, query] of [
  ['another measure', 'name=account.signed_up&measure=error_rate'],
  ['another event', 'name=order.placed&measure=unique'],
  ['all events', 'measure=unique'],
  ['the records of one person', 'name=account.signed_up&measure=unique&subject=user:u1'],
  ['another tenant', 'name=account.signed_up&measure=unique&tenant=globex']
] as const) {
  test(`the token of one chart does not read ${what}, and no records`, async (t) => {
    const { host, share } = await openHost(t)
    const { token } = await share('chart', SIGN_UPS)
    const read = async (path: string) =>
      (await host.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } }))
        .statusCode
    const right = new URLSearchParams(SIGN_UPS)
    t.equal(await read(`/telemetry/api/series?${right}&interval=hour`), 200)
    t.equal(await read(`/telemetry/api/series?${query}`), 403)
    for (const name of ['records', 'activity', 'breakdown', 'registry', 'rollups']) {
      t.equal(await read(`/telemetry/api/${name}?${right}`), 403, name)
    }
  })
}

test('a revoked page says that it shows nothing more', browserOptions, async (t) => {
  const { host, url, share } = await openHost(t)
  const { page } = await openPage(t)
  const { address, grant } = await share('events')
  await host.app.inject({
    method: 'POST',
    url: `/embeds/api/grants/${grant.id}/revoke`,
    headers
  })
  await page.goto(await siteWith(t, `${url}${address}`))
  await page.frameLocator('iframe').getByText('You are signed out').first().waitFor()
})
