// Mailer on a plain database: opening, working, stopping, and the kit that tests drive it with.
import { once } from 'node:events'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { changeDraft, createTemplate } from '../content/templates/edit-template.ts'
import { publishTemplate } from '../content/templates/publish-template.ts'
import { createRecordingProvider } from '../providers/recording/recording-provider.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { configFromEnv } from './config/from-env.ts'
import { Mailer } from './mailer.ts'
import { runTick } from './tick/run-tick.ts'

const contact = { externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }
const acting = { actor: 'human:test' }
const body =
  '<!doctype html><html><head><title>Hi</title></head><body><p>Hello there.</p></body></html>'

async function publish(mailer: Mailer): Promise<void> {
  const context = mailer.getRunnerContext()
  await createTemplate(context, { slug: 'notice', name: 'Notice', kind: 'transactional' }, acting)
  const draft = { subject: 'Hello', fromEmail: 'hello@acme.test', fromName: 'Acme', html: body }
  await changeDraft(context, 'notice', draft, acting)
  const published = await publishTemplate(context, 'notice', acting)
  if (!published.ok) throw new Error(published.message)
}

async function kit(t: Test) {
  const opened = await createTestMailer({ seedContacts: [contact] })
  t.teardown(() => opened.stop())
  await publish(opened.mailer)
  return opened
}

const oneOff = { templateSlug: 'notice', externalId: 'c1', dedupeKey: 'k' }

test('a drained test mailer hands its mails to the recording provider', async (t) => {
  const { mailer, provider, drain } = await kit(t)
  await mailer.sendOneOff(oneOff)
  t.equal(await mailer.queues.getWaitingCount(), 1)
  t.same(await drain(), { settled: true })
  t.match(provider.sent, [{ to: 'c1@example.test', subject: 'Hello' }])
  t.equal(await mailer.queues.getWaitingCount(), 0)
})

test('a drain without dispatch leaves mails queued', async (t) => {
  const { mailer, provider, drain } = await kit(t)
  await mailer.sendOneOff(oneOff)
  await drain({ dispatch: false })
  t.equal(provider.sent.length, 0)
  await drain()
  t.equal(provider.sent.length, 1)
})

test('a mailer works from startWorkers until stop', async (t) => {
  const { db } = await testDatabase(t)
  const provider = createRecordingProvider()
  const sent = new EventTarget()
  const mailer = await Mailer.init({
    db,
    adapter: createMemoryAdapter([contact]),
    providers: {
      live: {
        ...provider,
        async send(message, context) {
          const result = await provider.send(message, context)
          sent.dispatchEvent(new Event('sent'))
          return result
        }
      }
    },
    publicUrl: 'https://mail.example.test',
    unsubscribeSecret: 'a secret of some length'
  })
  t.teardown(() => mailer.stop())
  await publish(mailer)
  await mailer.sendOneOff(oneOff)
  const arrived = once(sent, 'sent')
  await mailer.startWorkers()
  await arrived
  await mailer.stop()
  await mailer.sendOneOff({ ...oneOff, dedupeKey: 'late' })
  t.equal(await mailer.queues.getWaitingCount(), 1)
  t.equal(provider.sent.length, 1)
})

test('a mailer whose queue runs no work refuses to start workers', async (t) => {
  const opened = await createTestMailer({ config: { queue: { driver: 'noop' } } })
  t.teardown(() => opened.stop())
  await t.rejects(opened.mailer.startWorkers(), { code: 'MLR_NO_WORKERS' })
})

test('a test mail is delivered and not recorded', async (t) => {
  const { mailer, provider } = await kit(t)
  const { providerId } = await mailer.sendTest({ templateSlug: 'notice', to: 'me@example.test' })
  t.ok(providerId)
  t.match(provider.sent, [{ to: 'me@example.test', subject: 'Hello' }])
  t.equal(await mailer.collections.sends.countDocuments(), 0)
  await t.rejects(mailer.sendTest({ templateSlug: 'none', to: 'me@example.test' }), {
    code: 'MLR_TEST_MAIL'
  })
})

test('a part of the tick that fails does not keep the next from its work', async (t) => {
  const { mailer } = await kit(t)
  let isRun = false
  const failed = await runTick(
    mailer.getRunnerContext(),
    [
      { name: 'broken', run: () => Promise.reject(new Error('no')) },
      {
        name: 'next',
        run: async () => {
          isRun = true
        }
      }
    ],
    new AbortController().signal
  )
  t.same(failed, ['broken'])
  t.ok(isRun)
})

const env = {
  MAILER_MONGODB_URI: 'mongodb://127.0.0.1:1/app',
  MAILER_PUBLIC_URL: 'https://mail.example.test',
  MAILER_UNSUBSCRIBE_SECRET: 'a secret of some length',
  MAILER_SMTP_URL: 'smtp://127.0.0.1:2525'
}

test('a mailer opens and closes its own connection from the environment', async (t) => {
  const uri = await databaseUri()
  const { db } = await testDatabase(t)
  const own = { ...env, MAILER_MONGODB_URI: uri, MAILER_MONGODB_DB: db.databaseName }
  const mailer = await Mailer.fromEnv(own)
  t.equal(mailer.db.databaseName, db.databaseName)
  t.same(Object.keys(mailer.providers), ['smtp'])
  await mailer.stop()
})

for (const name of Object.keys(env)) {
  test(`without ${name} the environment is refused by that name`, async (t) => {
    t.throws(() => configFromEnv({ ...env, [name]: '' }), {
      code: 'MLR_ENV_MISSING',
      message: new RegExp(name)
    })
  })
}
