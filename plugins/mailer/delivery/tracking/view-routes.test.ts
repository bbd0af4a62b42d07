// "View in browser" over HTTP.
import { type Test, test } from 'tap'
import type { PreparedTemplate, RenderInput } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { publicApp } from '../../test/public-app.ts'
import { sentMail } from '../../test/sent-mail.ts'
import { testContext } from '../../test/test-context.ts'
import { openAddress, viewAddress } from '../sends/tracking-addresses.ts'

const base = { publicUrl: '', secret: 'a secret of some length' }

async function open(t: Test, more: Partial<SendRow> = {}, bodyFormat = 'multipart') {
  const inputs: RenderInput[] = []
  const template = {
    slug: 'news',
    bodyFormat,
    render(input: RenderInput) {
      inputs.push(input)
      if (input.vars['fails'] === true) return { ok: false, code: 'template_failed', message: '' }
      const html = `<h1>Hello ${input.contact.email}</h1><script>alert(1)</script>`
      const mail = { subject: 'News <1>', preheader: '', text: 'Hello & welcome', links: [] }
      return { ok: true, mail: bodyFormat === 'multipart' ? { ...mail, html } : mail }
    }
  } as unknown as PreparedTemplate
  const kit = await testContext(t, {
    contacts: [{ externalId: 'contact-ada', email: 'Ada@x.test', tags: [], fields: {} }],
    templates: { load: async () => new Map([['news', template]]) },
    config: { trackingUrlLifetimeDays: 30 }
  })
  const send = sentMail('ada', more)
  await kit.context.collections.sends.insertOne(send)
  const app = await publicApp(t, kit.context)
  return { ...kit, app, send, inputs, path: viewAddress(base, send._id) }
}

test('a mail is rendered again with its data, without tracking, and nothing in it may run', async (t) => {
  const event = { name: 'order.paid', properties: { total: 5 } }
  const { app, path, inputs } = await open(t, { vars: { code: 7 }, event })
  const answer = await app.inject(path)
  t.equal(answer.statusCode, 200)
  t.match(answer.payload, /Hello Ada@x.test/)
  t.match(
    answer.headers['content-security-policy'],
    /default-src 'none'.*sandbox(?!.*allow-scripts)/
  )
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(inputs, [{ vars: { code: 7 }, event, addresses: { unsubscribeUrl: /\/m\/unsub\// } }])
  t.same(Object.keys(inputs[0]?.addresses ?? {}), [
    'unsubscribeUrl',
    'preferencesUrl',
    'viewInBrowserUrl'
  ])
})

test('a mail of text alone is shown as text', async (t) => {
  const { app, path } = await open(t, {}, 'text_only')
  const { payload } = await app.inject(path)
  t.match(payload, /<h1>News &lt;1&gt;<\/h1>\n<pre>Hello &amp; welcome<\/pre>/)
})

test('forged, foreign, early, old and erased mails answer 404 alike', async (t) => {
  const { app, send, path, context, pass } = await open(t)
  const foreign = viewAddress({ ...base, secret: 'another secret altogether' }, send._id)
  const pixel = openAddress(base, send._id).split('.')[1]
  const bodies = new Set<string>()
  const refused = async (url: string) => {
    const answer = await app.inject(url)
    t.equal(answer.statusCode, 404, url)
    bodies.add(answer.payload)
  }
  for (const url of [foreign, `/m/view/${send._id}/${pixel}`, `/m/view/${send._id}`, '/m/view/x'])
    await refused(url)
  const { sends } = context.collections
  await sends.updateOne({ _id: send._id }, { $unset: { handedAt: '' } })
  await refused(path)
  await sends.updateOne({ _id: send._id }, { $set: { handedAt: new Date(), externalId: 'gone' } })
  await refused(path)
  await sends.updateOne(
    { _id: send._id },
    { $set: { externalId: 'contact-ada', vars: { fails: true } } }
  )
  await refused(path)
  await sends.updateOne({ _id: send._id }, { $unset: { vars: '' } })
  t.equal((await app.inject(path)).statusCode, 200)
  pass(31 * 86_400_000)
  await refused(path)
  t.equal(bodies.size, 1)
})
