// Who sees the deliverability pages: administrators of the tenants in adminTenants, and those of the platform.
import blockLists from '@keelson/block-lists'
import breaker from '@keelson/circuit-breaker'
import dmarc from '@keelson/dmarc'
import hygiene from '@keelson/list-hygiene'
import { createMailerStandIn } from '@keelson/mailer/testing'
import postmaster from '@keelson/postmaster'
import { createTestHost } from '@keelson/sdk/testing'
import { test } from 'tap'

const APIS = ['health', 'dmarc', 'dnsbl', 'postmaster', 'hygiene', 'readiness']
const PAGES = ['deliverability', 'health', 'dmarc', 'block-lists', 'reputation', 'hygiene']
const others = { 'block-lists': blockLists, dmarc, 'list-hygiene': hygiene, postmaster }

test('an administrator of another tenant cannot open the deliverability pages or call their API', async (t) => {
  const config = { adminTenants: ['acme'] }
  const { plugin: mailer } = createMailerStandIn()
  const host = await createTestHost({
    plugin: breaker,
    plugins: [mailer, ...Object.values(others)],
    config,
    platform: {
      plugins: Object.fromEntries(Object.keys(others).map((id) => [id, { config }]))
    }
  })
  t.teardown(() => host.close())
  const addresses = [...PAGES, ...APIS.map((path) => `api/${path}`)]
  const statuses = (tenant: string) =>
    Promise.all(
      addresses.map(async (path) => {
        const headers = { accept: 'text/html', 'x-viewer': `${tenant}:admin:user:ada` }
        return (await host.app.inject({ url: `/admin/mailer/${path}`, headers })).statusCode
      })
    )
  t.same(new Set(await statuses('acme')), new Set([200]))
  t.same(new Set(await statuses('*')), new Set([200]))
  t.same(new Set(await statuses('globex')), new Set([403]))
})
