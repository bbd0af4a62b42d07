// The command setup-sendgrid against an account and a zone in memory.
import type { CommandCall } from '@keelson/sdk'
import { test } from 'tap'
import { type Outside, runSetup } from './setup-sendgrid.ts'

const URL_HERE = 'https://acme.test/m/webhooks/sendgrid'
const TOGGLES = ['delivered', 'open', 'click', 'bounce', 'dropped', 'spam_report', 'unsubscribe']

interface Row {
  id: string
  [field: string]: unknown
}

/** SendGrid and Cloudflare, with the calls that they got. */
class Vendors {
  readonly domains: Row[] = []
  readonly webhooks: Row[] = []
  readonly records: Row[] = []
  changes: string[] = []
  pauses = 0
  /** Old accounts have one webhook and no list. */
  isLegacy = false
  failing: RegExp = /^$/

  readonly fetch = (async (input: string, init: RequestInit = {}) => {
    const { method = 'GET', body = '{}' } = init
    const { host, pathname, searchParams } = new URL(input)
    const call = `${method} ${pathname}`
    if (this.failing.test(call)) return reply({ errors: [{ message: 'access forbidden' }] }, 403)
    const sent = JSON.parse(String(body))
    const isSendgrid = host === 'sendgrid.test'
    const found = isSendgrid
      ? this.sendgrid(method, pathname, sent, searchParams)
      : this.cloudflare(method, pathname, sent, searchParams)
    if (method !== 'GET') this.changes.push(call)
    if (found === undefined) return reply({ errors: [{ message: 'not found' }] }, 404)
    return reply(isSendgrid ? found : { result: found })
  }) as typeof globalThis.fetch

  private sendgrid(method: string, path: string, sent: object, query: URLSearchParams): unknown {
    const at = path.replace('/v3', '')
    const id = at.split('/').at(-1)
    if (at === '/whitelabel/domains') {
      if (method === 'POST') this.domains.push(domainOf(this.domains.length, sent))
      const inDomain = this.domains.filter(({ domain }) => domain === query.get('domain'))
      return method === 'POST' ? this.domains.at(-1) : inDomain
    }
    if (at.endsWith('/validate')) return this.validated(at.split('/')[3])
    if (at.endsWith('/all')) return this.isLegacy ? undefined : this.listed()
    const isSigned = at.includes('/signed')
    const one = this.isLegacy ? this.webhooks[0] : this.webhooks.find((row) => row.id === id)
    if (method === 'POST') this.webhooks.push({ id: `w${this.webhooks.length}`, ...sent })
    if (method === 'POST') return this.webhooks.at(-1)
    if (method === 'PATCH' && one) Object.assign(one, isSigned ? { key: `key of ${one.id}` } : sent)
    return isSigned ? { public_key: one?.['key'] ?? '' } : one
  }

  private listed() {
    return { max_allowed: 2, webhooks: this.webhooks.map(({ key: _, ...row }) => row) }
  }

  private validated(id: string | undefined) {
    const domain = this.domains.find((row) => row.id === id)
    const isPublished = this.records.some(({ content }) => content === `u${id}.vendor.test`)
    if (domain) domain['valid'] = isPublished
    const reason = isPublished ? null : 'Expected CNAME for "em.acme.test"'
    return { valid: isPublished, validation_results: { mail_cname: { reason } } }
  }

  private cloudflare(method: string, path: string, sent: object, query: URLSearchParams): unknown {
    if (path.endsWith('/zones')) return query.get('name') === 'acme.test' ? [{ id: 'z' }] : []
    if (method === 'GET') return this.records.filter(({ name }) => name === query.get('name'))
    if (method === 'POST') this.records.push({ id: `r${this.records.length}`, ...sent })
    if (method === 'POST') return this.records.at(-1)
    return Object.assign(this.records.find(({ id }) => path.endsWith(id)) ?? {}, sent)
  }
}

const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

function domainOf(count: number, sent: object): Row {
  const { domain, subdomain } = sent as { domain: string; subdomain: string }
  const id = String(count + 1)
  const host = `${subdomain}.${domain}`
  const dns = { mail_cname: { type: 'cname', host, data: `u${id}.vendor.test` } }
  return { id, domain, subdomain, valid: false, dns }
}

async function run(vendors: Vendors, options: CommandCall['options'] = {}, change = {}) {
  const outside: Outside = {
    environment: {
      SENDGRID_API_KEY: 'SG.secret.key',
      SENDGRID_BASE_URL: 'https://sendgrid.test',
      CLOUDFLARE_API_TOKEN: 'secret token',
      CLOUDFLARE_BASE_URL: 'https://cloudflare.test/client/v4'
    },
    fetch: vendors.fetch,
    pause: async () => vendors.pauses++,
    confirm: async () => true,
    ...change
  }
  const flags = { domain: ['acme.test'], 'webhook-url': URL_HERE, ...options }
  const { signal } = new AbortController()
  const answer = await runSetup({ args: [], options: flags, signal }, outside)
  return 'wrongUse' in answer ? { wrongUse: answer.wrongUse, text: '', failed: false } : answer
}

test('without --cloudflare the records and the key are printed, and DNS is not touched', async (t) => {
  const vendors = new Vendors()
  const { text, failed } = await run(vendors)
  t.equal(failed, false)
  t.match(text, 'acme.test: not valid yet. Publish these records')
  t.match(text, 'em.acme.test CNAME u1.vendor.test')
  t.match(text, 'SENDGRID_WEBHOOK_KEY=key of w0')
  t.notMatch(text, /secret/)
  t.same(vendors.records, [])
  t.match(vendors.webhooks, [{ url: URL_HERE, enabled: true, friendly_name: 'keelson' }])
  t.match(vendors.webhooks[0], { ...Object.fromEntries(TOGGLES.map((one) => [one, true])) })
  t.match(vendors.webhooks[0], { deferred: false, processed: false })
})

test('--cloudflare publishes unproxied records, validates, and only reads when run again', async (t) => {
  const vendors = new Vendors()
  const first = await run(vendors, { cloudflare: true })
  t.equal(first.failed, false)
  t.match(first.text, 'acme.test: valid.\n  created: em.acme.test CNAME u1.vendor.test')
  t.match(vendors.records, [{ type: 'CNAME', content: 'u1.vendor.test', proxied: false, ttl: 1 }])
  vendors.changes = []
  const again = await run(vendors, { cloudflare: true })
  t.match(again, { failed: false, text: /unchanged: em\.acme\.test/ })
  t.match(again.text, 'SENDGRID_WEBHOOK_KEY=key of w0')
  t.same(vendors.changes, [])
})

test('a record that differs or is proxied is corrected', async (t) => {
  const vendors = new Vendors()
  await run(vendors, { cloudflare: true })
  Object.assign(vendors.records[0] ?? {}, { proxied: true })
  vendors.changes = []
  await run(vendors, { cloudflare: true })
  t.same(vendors.changes, ['PUT /client/v4/zones/z/dns_records/r0'])
  t.match(vendors.records, [{ proxied: false }])
})

test('domains are repeated or comma-separated, below another subdomain', async (t) => {
  const vendors = new Vendors()
  await run(vendors, { domain: ['one.test', 'two.test,Three.test'], subdomain: 'mail' })
  t.match(
    vendors.domains.map(({ domain, subdomain }) => `${subdomain}.${domain}`),
    ['mail.one.test', 'mail.two.test', 'mail.three.test']
  )
})

test('of several webhooks the one with the address is used, and another one by its name alone', async (t) => {
  const vendors = new Vendors()
  const staging = { id: 'w0', url: 'https://staging.test', friendly_name: 'keelson', enabled: true }
  vendors.webhooks.push({ ...staging })
  await run(vendors)
  t.match(vendors.webhooks, [staging, { id: 'w1', url: URL_HERE }])
  const moved = 'https://new.test/m/webhooks/sendgrid'
  const full = await run(vendors, { 'webhook-url': moved })
  t.match(full, { failed: true, text: /its 2 webhooks/ })
  const named = { 'webhook-url': moved, 'webhook-name': 'keelson' }
  // Both have the name: the first in the list is moved, and the other is left.
  t.match(await run(vendors, named), { failed: false, text: /key of w0/ })
  t.match(vendors.webhooks, [{ url: moved }, { url: URL_HERE }])
})

test('an account with one webhook keeps its address unless --force is set', async (t) => {
  const vendors = new Vendors()
  vendors.isLegacy = true
  vendors.webhooks.push({ id: 'only', url: 'https://old.test', enabled: true })
  t.match(await run(vendors), { failed: true, text: /--force replaces/ })
  t.match(vendors.webhooks, [{ url: 'https://old.test' }])
  t.match(await run(vendors, { force: true }), { failed: false, text: /key of only/ })
  t.match(vendors.webhooks, [{ url: URL_HERE }])
})

test('a problem is named, the other parts are done, and no secret is printed', async (t) => {
  const vendors = new Vendors()
  vendors.failing = /whitelabel/
  const refused = await run(vendors)
  t.match(refused, { failed: true, text: /acme\.test: .*answers 403: access forbidden/ })
  t.match(refused.text, 'key of w0')
  t.notMatch(JSON.stringify(refused), /secret/)
  vendors.failing = /dns_records/
  t.match(await run(vendors, { cloudflare: true }), { failed: true, text: /Cloudflare/ })
  const fetch = () => Promise.reject(new Error('no network'))
  t.match(await run(vendors, {}, { fetch }), { failed: true, text: /got no answer/ })
})

test('validation is tried again while published records are not seen, and then fails', async (t) => {
  const vendors = new Vendors()
  await run(vendors)
  // Published below another target: the vendor does not find its own.
  vendors.records.push({ id: 'r0', name: 'em.acme.test', content: 'U1.vendor.test.' })
  const { text, failed } = await run(vendors, { cloudflare: true })
  t.equal(failed, true)
  t.equal(vendors.pauses, 3)
  t.match(text, 'SendGrid: Expected CNAME for "em.acme.test"')
})

test('wrong use is refused before anything is called', async (t) => {
  const vendors = new Vendors()
  const wrong: readonly (readonly [CommandCall['options'], object, RegExp])[] = [
    [{ domain: [] }, {}, /--domain is missing/],
    [{ domain: ['nonsense'] }, {}, /--domain must/],
    [{ subdomain: 'a.b' }, {}, /--subdomain/],
    [{ 'webhook-url': [] }, {}, /--webhook-url is missing/],
    [{ 'webhook-url': 'acme' }, {}, /--webhook-url must/],
    [{ interactive: true, 'no-interactive': true }, {}, /exclude/],
    [{}, { environment: { SENDGRID_API_KEY: 'wrong' } }, /SENDGRID_API_KEY/],
    [{ cloudflare: true }, { environment: { SENDGRID_API_KEY: 'SG.a' } }, /CLOUDFLARE_API_TOKEN/]
  ]
  for (const [options, change, wrongUse] of wrong) {
    t.match(await run(vendors, options, change), { wrongUse })
  }
  const confirm = async () => false
  t.match(await run(vendors, {}, { confirm }), { failed: true, text: 'Nothing was changed.' })
  t.same(vendors.changes, [])
})
