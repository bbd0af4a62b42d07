// The mailer in the name of an actor: refused without the right, and named in the audit log.
import { type Actor, systemActor } from '@keelson/sdk'
import { test } from 'tap'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { actingMailer } from './acting-mailer.ts'

const ada: Actor = { tenantId: 'acme', viewerRef: 'user:ada', name: 'human:ada', via: 'alert:a1' }

test('an act without the right is refused, and nothing happens', async (t) => {
  const { mailer, db, stop } = await createTestMailer()
  t.teardown(() => stop())
  const context = { ...mailer.getRunnerContext(), admits: async () => false }
  const acting = actingMailer(context, mailer, ada)
  t.equal(await acting.allowed(), false)
  await t.rejects(acting.unsubscribe('a@b.test', { scope: 'all' }), {
    code: 'MLR_ACTOR_FORBIDDEN',
    status: 403
  })
  t.equal(await db.collection('mailer_suppressions').countDocuments(), 0)
})

test('what a person causes is in the audit log with how, what a plugin does for itself is not', async (t) => {
  const { mailer, stop } = await createTestMailer()
  t.teardown(() => stop())
  const acts = { ...mailer, sendOneOff: async () => ({ sendId: 's1' }) }
  const mail = { templateSlug: 'alert', externalId: 'c1', dedupeKey: 'k' }
  await actingMailer(mailer.getRunnerContext(), acts, ada).sendOneOff(mail)
  await actingMailer(mailer.getRunnerContext(), acts, systemActor('shop')).sendOneOff(mail)
  const rows = await mailer.collections.auditLog.find().toArray()
  t.match(rows, [
    { actor: 'human:ada', via: 'alert:a1', action: 'mailer.send', after: { templateSlug: 'alert' } }
  ])
  t.equal(rows.length, 1)
})

test('the bare capability refuses what changes or sends, and says how to name who acts', async (t) => {
  const { mailer, stop } = await createTestMailer()
  t.teardown(() => stop())
  const { core } = mailer.getRunnerContext()
  const bare = core as unknown as Record<string, () => Promise<void>>
  const acts = Object.keys(core.as(ada)).filter((name) => name !== 'allowed')
  t.ok(acts.length >= 16)
  for (const act of acts) {
    await t.rejects(async () => bare[act]?.(), {
      code: 'MLR_ACTOR_MISSING',
      message: new RegExp(`\\.as\\(actor\\)\\.${act}\\(`)
    })
  }
})
