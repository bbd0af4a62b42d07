// mailer.workbench/v1: who may, what is shown of rows, and that a wait ends with a change.
import { type Actor, systemActor } from '@keelson/sdk'
import { test } from 'tap'
import { putTemplate } from '../content/templates/put-template.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { createWorkbench } from './workbench.ts'

const bot: Actor = { tenantId: '*', token: 'agent:bot', name: 'agent:bot', via: 'token' }
const LONG = { timeoutMs: 60_000, signal: new AbortController().signal }

interface Ending {
  teardown(end: () => Promise<void>): void
}

async function benchOf(t: Ending, admits: (actor: Actor) => Promise<boolean> = async () => true) {
  const seedContacts = [{ externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }]
  const kit = await createTestMailer({ seedContacts })
  const { mailer } = kit
  const context = { ...mailer.getRunnerContext(), admits }
  const { workbench, close } = createWorkbench({
    context,
    events: mailer.events,
    runTick: async () => undefined
  })
  t.teardown(async () => {
    await close()
    await kit.stop()
  })
  const queuedMail = async () => {
    const html = '<p>Hello, these are words enough for the text part.</p>'
    const fields = { fromName: 'Acme', fromEmail: 'a@example.test', subject: 'Receipt' }
    const { sends } = mailer.collections
    const document = { name: 'Receipt', kind: 'transactional', ...fields, body: { html } }
    await putTemplate(context, 'receipt', document, { actor: 'human:ada' })
    const mail = { templateSlug: 'receipt', externalId: 'c1', dedupeKey: 'k1' }
    const { sendId } = await mailer.sendOneOff(mail)
    return { sendId, sends }
  }
  return { ...kit, workbench, queuedMail }
}

test('each call asks whether its actor may use mail', async (t) => {
  const { workbench } = await benchOf(t, async ({ token }) => token === undefined)
  const acting = workbench.as(bot)
  const calls = Object.entries(acting) as [string, (...args: unknown[]) => Promise<unknown>][]
  t.ok(calls.length >= 28)
  for (const [name, call] of calls)
    await t.rejects(call('c1', {}), { code: 'MLR_ACTOR_FORBIDDEN', status: 403 }, name)
  t.match(await workbench.as(systemActor('shop')).contact('c1'), { email: 'c1@example.test' })
})

test('a mail is shown without what is only stored', async (t) => {
  const { workbench, queuedMail } = await benchOf(t)
  const { sendId } = await queuedMail()
  const mail = await workbench.as(bot).mail(sendId)
  t.match(mail, { id: sendId, status: 'queued', sentAt: null, email: 'c1@example.test' })
  for (const field of ['_id', 'lane', 'handoff', 'progress', 'dedupeKey'])
    t.notOk(Object.keys(mail ?? {}).includes(field), field)
  const state = await workbench.as(bot).contactState('c1')
  t.same(
    state?.recentSends.map(({ id }) => id),
    [sendId]
  )
  t.equal(await workbench.as(bot).mail('unknown'), null)
})

test('a wait ends with the change of its mail, and with its signal', async (t) => {
  const { workbench, queuedMail } = await benchOf(t)
  const { sendId, sends } = await queuedMail()
  const { mailWhen } = workbench.as(bot)
  const deliveredAt = new Date()
  const delivered = mailWhen(sendId, (mail) => mail.deliveredAt !== null, LONG)
  await sends.updateOne({ _id: sendId }, { $set: { deliveredAt } })
  t.same((await delivered)?.deliveredAt, deliveredAt)
  const leaving = new AbortController()
  const left = mailWhen(sendId, () => false, { timeoutMs: 60_000, signal: leaving.signal })
  leaving.abort()
  t.match(await left, { id: sendId })
})

test('what an actor changes is in the audit log under its name', async (t) => {
  const { workbench, queuedMail, mailer } = await benchOf(t)
  const { sendId } = await queuedMail()
  const work = workbench.as(bot)
  t.same(await work.changeTags('c1', { add: ['vip'], remove: [] }), ['vip'])
  t.equal((await work.dispatch(sendId, () => false))?.status, 'queued')
  await work.dispatch(sendId, () => true)
  const rows = await mailer.collections.auditLog.find({ actor: 'agent:bot' }).toArray()
  t.same(rows.map(({ action }) => action).sort(), ['contact.tag', 'send.dispatch'])
})

test('an event that one call fires twice is recorded once', async (t) => {
  const { workbench, mailer } = await benchOf(t)
  mailer.events.register({ name: 'order.placed', dedupePolicy: 'every-time' })
  const event = { name: 'order.placed', externalId: 'c1', callKey: 'call-1' }
  const first = await workbench.as(bot).fire(event)
  t.same(await workbench.as(bot).fire(event), first)
  t.equal(await mailer.collections.events.countDocuments(), 1)
})
