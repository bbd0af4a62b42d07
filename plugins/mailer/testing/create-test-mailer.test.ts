// The kit for tests of hosts: a drain ends when nothing is due, whatever started what.
import { type Test, test } from 'tap'
import { changeFlow, createFlow } from '../campaigns/flows/flow-operations.ts'
import { publishFlow } from '../campaigns/flows/publish-flow.ts'
import { changeDraft, createTemplate } from '../content/templates/edit-template.ts'
import { publishTemplate } from '../content/templates/publish-template.ts'
import type { FlowStep } from '../ledger/flow-steps.ts'
import { createTestMailer, type TestMailer } from './create-test-mailer.ts'

const contact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }
const acting = { actor: 'human:test' }

async function open(t: Test): Promise<TestMailer> {
  const kit = await createTestMailer({ seedContacts: [contact] })
  t.teardown(() => kit.stop())
  const { mailer } = kit
  const context = mailer.getRunnerContext()
  await mailer.upsertSubscription({ externalId: 'c1', source: 'test' })
  await createTemplate(context, { slug: 'a', name: 'A', kind: 'transactional' }, acting)
  const html = '<html><body><p>Hello there, and welcome.</p></body></html>'
  await changeDraft(
    context,
    'a',
    { subject: 'Hello', fromEmail: 'hello@acme.test', fromName: 'Acme', html },
    acting
  )
  await publishTemplate(context, 'a', acting)
  return kit
}

async function addFlow({ mailer }: TestMailer, eventName: string, steps: readonly FlowStep[]) {
  const context = mailer.getRunnerContext()
  const slug = `on-${eventName}`
  const trigger = { type: 'event', eventName }
  await createFlow(context, { slug, name: slug, trigger }, acting)
  await changeFlow(context, slug, { steps }, acting)
  const published = await publishFlow(context, slug, {}, acting)
  if (!published.ok) throw new Error(published.message)
}

test('one drain follows flows that start each other to their last mail', async (t) => {
  const kit = await open(t)
  const { mailer, provider, drain } = kit
  await addFlow(kit, 'one', [{ type: 'fire_event', eventName: 'two' }])
  await addFlow(kit, 'two', [{ type: 'fire_event', eventName: 'three' }])
  await addFlow(kit, 'three', [{ type: 'send', templateSlug: 'a' }])
  await mailer.fire('one', 'c1', {}, 'start')
  t.same(await drain(), { settled: true })
  t.equal(provider.sent.length, 1)
  const { events, flowRuns } = mailer.collections
  t.equal(await events.countDocuments({ state: { $in: ['due', 'leased'] } }), 0)
  t.equal(await flowRuns.countDocuments({ status: 'completed' }), 3)
})

test('a drain waits for what is due by the clock of the kit, and for no more', async (t) => {
  const kit = await open(t)
  const { mailer, provider, drain, clock } = kit
  await addFlow(kit, 'one', [
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'send', templateSlug: 'a' }
  ])
  await mailer.fire('one', 'c1', {}, 'start')
  t.same(await drain(), { settled: true })
  t.equal(provider.sent.length, 0)
  await clock.advance(86_401_000)
  t.same(await drain(), { settled: true })
  t.equal(provider.sent.length, 1)
})
