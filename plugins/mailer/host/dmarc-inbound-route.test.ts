// The route of DMARC reports on a plain app: only with a secret, within its limits, for domains of the mailer.
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import type { DmarcInboundRoute } from './dmarc-inbound-route.ts'
import { createMailerPublic } from './public-routes.ts'

const SECRET = 'secret-of-the-mail-service'

const report = (domain: string) => `<?xml version="1.0"?><feedback>
<report_metadata><org_name>reporter.example</org_name><email>d@reporter.example</email><report_id>r1</report_id>
<date_range><begin>1763596800</begin><end>1763683199</end></date_range></report_metadata>
<policy_published><domain>${domain}</domain><p>none</p><pct>100</pct></policy_published>
<record><row><source_ip>192.0.2.1</source_ip><count>2</count><policy_evaluated><disposition>none</disposition>
<dkim>pass</dkim><spf>pass</spf></policy_evaluated></row><identifiers><header_from>${domain}</header_from></identifiers>
<auth_results><spf><domain>${domain}</domain><result>pass</result></spf></auth_results></record></feedback>`

async function open(t: Test, dmarcInbound?: DmarcInboundRoute) {
  const kit = await createTestMailer()
  t.teardown(() => kit.stop())
  const app = Fastify()
  t.teardown(() => app.close())
  const options = dmarcInbound === undefined ? {} : { dmarcInbound }
  await app.register(createMailerPublic(kit.mailer, options), { prefix: '/m' })
  const post = async (
    content: string,
    { authorization = `Bearer ${SECRET}`, path = '/m/inbound/dmarc' } = {}
  ) => {
    const form = new FormData()
    form.append('attachment', new Blob([content]), 'report.xml')
    const sent = new Response(form)
    return app.inject({
      method: 'POST',
      url: path,
      headers: { authorization, 'content-type': sent.headers.get('content-type') ?? '' },
      payload: Buffer.from(await sent.arrayBuffer())
    })
  }
  return { ...kit, app, post }
}

test('a report that a mail service posts is read, and known when it comes again', async (t) => {
  const { post, mailer } = await open(t, { secret: SECRET })
  const first = await post(report('example.test'))
  t.equal(first.statusCode, 200, first.body)
  t.match(first.json(), { ok: true, ingested: [{ reportId: 'r1', duplicate: false }] })
  const basic = `Basic ${Buffer.from(`any:${SECRET}`).toString('base64')}`
  const again = await post(report('example.test'), { authorization: basic })
  t.match(again.json(), { ingested: [{ duplicate: true }] })
  t.equal(await mailer.collections.dmarcReports.countDocuments(), 1)
})

test('without a secret in the options there is no route', async (t) => {
  const { post } = await open(t, {})
  t.equal((await post(report('example.test'))).statusCode, 404)
})

test('a wrong secret is refused before the body is read', async (t) => {
  const { post } = await open(t, { secret: SECRET, maxFileSizeBytes: 1 })
  const reply = await post(report('example.test'), { authorization: 'Bearer another-secret' })
  t.equal(reply.statusCode, 401)
})

test('the options of the router hold: path, limits, domains, and another form', async (t) => {
  const { post, app } = await open(t, {
    secret: SECRET,
    path: '/reports',
    maxFileSizeBytes: 10_000,
    allowedDomains: ['other.test'],
    parseInbound: ({ body }) => {
      const { report: text } = (body ?? {}) as { readonly report?: string }
      return text === undefined ? undefined : [{ filename: 'r.xml', buffer: Buffer.from(text) }]
    }
  })
  const path = '/m/reports'
  t.equal((await post(report('example.test'), { path })).statusCode, 400)
  t.equal((await post(`${report('other.test')}${' '.repeat(20_000)}`, { path })).statusCode, 413)
  const other = await app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${SECRET}` },
    payload: { report: report('other.test') }
  })
  t.equal(other.statusCode, 200, other.body)
})
