// The sample mail of the first start: written once, and never over what an operator changed.
import { createTestMailer, type TestMailer } from '@keelson/mailer'
import { mailerOperations } from '@keelson/mailer/contracts'
import { definePlugin, systemActor } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { CONTACT_COUNT, contactRow } from '../contacts/contact-row.ts'
import manifest from './plugin.json' with { type: 'json' }
import { shopOperations } from './shop-operations.ts'
import { type SampleMail, type StateRow, writeSampleMail } from './write-sample-mail.ts'

/** Its contacts are those of the test. */
const shop = definePlugin({
  manifest: { ...manifest, uses: ['mailer.operations/v1'] },
  operations: shopOperations,
  register: () => undefined
})
const SLUGS = ['newsletter', 'order-receipt', 'welcome']

async function open(t: Test) {
  const seedContacts = Array.from({ length: CONTACT_COUNT }, (_, at) => {
    const { _id, email, tags, ...fields } = contactRow(at + 1, new Date())
    return { externalId: _id, email, tags, fields }
  })
  const kit = await createTestMailer({
    seedContacts,
    config: {
      fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
      senderAddress: 'Acme, 12 Harbour Street, 20457 Hamburg, Germany'
    }
  })
  t.teardown(() => kit.stop())
  const state = kit.db.collection<StateRow>('shop_state')
  const { mailer, adapter: contacts, clock } = kit
  const operations = mailer.host.add(shop).use(mailerOperations)
  const write = (past?: SampleMail['past']) =>
    writeSampleMail({ mailer, operations, contacts, state, clock, past })
  return { ...kit, operations, state, write }
}

const slugsOf = ({ mailer }: TestMailer): Promise<string[]> =>
  mailer.collections.templates.distinct('slug', { version: { $gte: 1 } })

test('the first start publishes templates and flow, and subscribes all but the last ten', async (t) => {
  const kit = await open(t)
  await kit.write()
  t.same((await slugsOf(kit)).sort(), SLUGS)
  const { flows, subscriptions } = kit.mailer.collections
  t.match(await flows.find().toArray(), [{ slug: 'onboarding', enabled: false, version: 1 }])
  t.equal(await subscriptions.countDocuments({ status: 'subscribed' }), 190)
  t.equal(await subscriptions.countDocuments({ externalId: 'u191' }), 0)
})

test('all is written as of days before the month of mail, a subscription as of the day on which its customer came', async (t) => {
  const kit = await open(t)
  const days: Date[] = []
  const during = <T>(at: Date, work: () => Promise<T>) => {
    days.push(at)
    return work()
  }
  await kit.write({ during })
  t.equal(days.length, 191)
  const month = Date.now() - 29 * 86_400_000
  t.same(
    days.filter((day) => day.getTime() > month),
    []
  )
  const { subscriptions } = kit.mailer.collections
  t.match(await subscriptions.findOne({ externalId: 'u190' }), { consentTimestamp: days.at(-1) })
})

test('a start after a crash writes only what is missing', async (t) => {
  const kit = await open(t)
  const { mailer } = kit
  await kit.write()
  await kit.state.deleteMany({})
  await mailer.collections.subscriptions.deleteMany({ externalId: { $in: ['u1', 'u2'] } })
  await mailer.collections.templates.deleteOne({ slug: 'newsletter' })
  await mailer.collections.templateVersions.deleteMany({ slug: 'newsletter' })
  await mailer.unsubscribe('user3@example.test', { scope: 'marketing' })
  const operator = kit.operations.as(systemActor('operator'))
  const params = { slug: 'welcome' }
  const body = { subject: 'Changed' }
  await operator.call('mailer.templates.changeDraft', { params, body })
  await operator.call('mailer.templates.publish', { params, body: {} })
  await kit.write()
  t.same((await slugsOf(kit)).sort(), SLUGS)
  t.match(await mailer.collections.templates.findOne({ slug: 'welcome' }), { subject: 'Changed' })
  t.equal(await mailer.collections.subscriptions.countDocuments({ status: 'subscribed' }), 189)
})

test('what an operator deleted stays deleted', async (t) => {
  const kit = await open(t)
  await kit.write()
  await kit.mailer.collections.templates.deleteOne({ slug: 'newsletter' })
  await kit.write()
  t.same((await slugsOf(kit)).sort(), ['order-receipt', 'welcome'])
})

for (const slug of SLUGS) {
  test(`${slug} arrives with every slot filled, as HTML and as text`, async (t) => {
    const { write, mailer, provider, drain } = await open(t)
    await write()
    const vars = {
      orderId: 'A-1042',
      placedAt: new Date('2026-11-22T12:00:00Z'),
      currency: 'USD',
      items: [{ name: 'Acme Pro, one month', quantity: 2, amountCents: 9800 }],
      totalCents: 9800
    }
    await mailer.sendOneOff({ templateSlug: slug, externalId: 'u10', vars, dedupeKey: slug })
    await drain()
    const [mail] = provider.sent
    t.match(mail, { to: 'user10@example.test', fromEmail: 'hello@acme.test' })
    for (const part of [mail?.subject, mail?.html, mail?.text]) {
      t.ok(part)
      t.notMatch(part, /\{\{|undefined|\[object/)
    }
    t.match(mail?.html, /12 Harbour Street/)
    if (slug === 'order-receipt') t.match(mail?.text, /Acme Pro, one month × 2 +\$98\.00/)
  })
}
