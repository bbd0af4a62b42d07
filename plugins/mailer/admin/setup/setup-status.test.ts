// The setup list of a mailer: what its own checks find.
// Runs beside the others: it waits for much of its time.
import tap, { type Test, test } from 'tap'
import { type TestContextOptions, testContext } from '../../test/test-context.ts'
import { readSetupStatus } from './setup-status.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

async function read(t: Test, options: TestContextOptions = {}) {
  const kit = await testContext(t, options)
  const lines = async () => {
    const { checks } = await readSetupStatus(kit.context)
    return Object.fromEntries(checks.map((line) => [line.name, line]))
  }
  return { ...kit, lines }
}

const acme = { name: 'Acme', email: 'hello@acme.test' }

test('a sender whose domain is not for its kind of mail is an error', async (t) => {
  const config = {
    fromDefaults: acme,
    senderDomains: { 'acme.test': { kind: 'marketing' } }
  } as const
  const { lines } = await read(t, { config })
  const { from_defaults_marketing, transactional_fallback } = await lines()
  t.match(from_defaults_marketing, { severity: 'ok' })
  t.match(transactional_fallback, { severity: 'error', message: /transactional/, hint: String })
})

test('transactional mail with its own sender needs no default sender', async (t) => {
  const config = {
    transactionalFromDefaults: { name: 'Acme', email: 'hello@other.test' },
    senderDomains: { 'acme.test': { kind: 'both' } }
  } as const
  const { lines } = await read(t, { config })
  t.match(await lines(), {
    from_defaults_marketing: { severity: 'warn' },
    transactional_from_defaults: { severity: 'error', message: /other\.test/ },
    transactional_fallback: { severity: 'ok' }
  })
})

test('double opt-in without its published template is an error', async (t) => {
  const { lines } = await read(t, { config: { requireDoubleOptIn: true } })
  t.match(await lines(), { doi_template: { severity: 'error', message: /doi-confirmation/ } })
})

test('a mailer without workers has no line about them', async (t) => {
  const { lines } = await read(t, { config: { queue: { driver: 'noop' } } })
  t.notOk((await lines())['workers_heartbeat'])
})

test('urgent mail that has been due for minutes is a warning, and the look-up is indexed', async (t) => {
  const { lines, context } = await read(t)
  const { sends } = context.collections
  const row = (ms: number) =>
    ({ _id: `${ms}`, dedupeKey: `${ms}`, lane: 'urgent', state: 'due', dueAt: ago(ms) }) as never
  const ago = (ms: number) => new Date(context.clock.now().getTime() - ms)
  await sends.insertOne(row(60_000))
  t.match(await lines(), { queue: { severity: 'ok' } })
  await sends.insertOne(row(600_000))
  t.match(await lines(), { queue: { severity: 'warn', message: /due since/ } })
  const plan = await sends
    .find({ lane: 'urgent', dueAt: { $exists: true } })
    .sort({ lane: 1, dueAt: 1 })
    .limit(1)
    .explain()
  t.match(JSON.stringify(plan), /keelson_due_lane/)
})

test('a check that does not answer within its time is an error of its line alone', async (t) => {
  const silent = {
    name: 'silent',
    label: 'Silent',
    run: ({ signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
  }
  const { lines } = await read(t, { extensions: { setupChecks: () => [silent] } })
  t.match(await lines(), {
    silent: { severity: 'error', message: /5 s/ },
    mongo: { severity: 'ok' }
  })
})

test('a flow that is on and waits for an event that was never sent is a warning with the nearest names', async (t) => {
  const { lines, context } = await read(t)
  const { flows, events } = context.collections
  const flow = (slug: string, more: object) =>
    ({ _id: slug, slug, name: slug, version: 1, enabled: true, steps: [], ...more }) as never
  const on = (eventName: string) => ({ trigger: { type: 'event', once: true, eventName } })
  t.match(await lines(), { silent_events: { severity: 'ok' } })
  await events.insertMany(
    [1, 2].map((at) => ({
      _id: `${at}`,
      dedupeKey: `${at}`,
      name: 'user.signed_up',
      externalId: 'c1',
      occurredAt: context.clock.now()
    })) as never
  )
  const timeout = { value: 1, unit: 'days' }
  const wait = { type: 'waitForEvent', eventName: 'order.placed', timeout }
  await flows.insertMany([
    flow('typed-wrong', on('user.signed_upp')),
    flow('waits', { ...on('user.signed_up'), steps: [{ type: 'branch', ifTrueSteps: [wait] }] }),
    flow('off', { ...on('user.sigend_up'), enabled: false })
  ])
  t.match((await lines())['silent_events'], {
    severity: 'warn',
    message: '2 events of flows that are on were never sent.',
    items: [
      { label: 'typed-wrong', hint: 'Did you mean user.signed_up (2 in 30 days)?' },
      { label: 'waits', message: 'The event order.placed was never sent.' }
    ]
  })
})
