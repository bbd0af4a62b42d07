// Listeners of other plugins: each event at least once, none in the way of flows or of another listener.
import { type Test, test } from 'tap'
import type { ContactEvent, EventListener } from '../contracts/mailer-event-listener.ts'
import { testContext } from '../test/test-context.ts'
import { createEventHandler } from './flows/event-handler.ts'
import { recordEvents } from './flows/fire.ts'

const event = (externalId: string, occurredAt: Date) => ({
  name: 'account.opened',
  externalId,
  properties: { plan: 'pro' },
  dedupeKey: `opened:${externalId}`,
  occurredAt
})

/** Two listeners; the first fails while `known.isDown`. */
async function open(t: Test) {
  const known = { isDown: false }
  const heard: Record<string, ContactEvent[]> = { first: [], second: [] }
  const listener = (name: string): EventListener => ({
    name,
    async onEvents(events) {
      if (known.isDown && name === 'first') throw new Error('the plugin is away')
      heard[name]?.push(...events)
    }
  })
  const opened = await testContext(t, {
    extensions: { eventListeners: () => [listener('first'), listener('second')] },
    handlers: (context) => ({ events: createEventHandler(context) })
  })
  const fire = (externalId: string) =>
    recordEvents(opened.context, [event(externalId, opened.context.clock.now())])
  return { ...opened, known, heard, fire }
}

test('every listener hears of an event once, however often it is fired with a key', async (t) => {
  const { fire, heard, queues } = await open(t)
  await fire('c1')
  await fire('c1')
  await queues.events.runDue()
  await queues.events.runDue()
  for (const name of ['first', 'second'])
    t.match(heard[name], [
      { name: 'account.opened', externalId: 'c1', properties: { plan: 'pro' }, id: String }
    ])
  t.equal(heard['first']?.length, 1)
})

test('an event comes again to a listener that failed, until three days are over', async (t) => {
  const { fire, heard, known, queues, context, pass } = await open(t)
  const { events } = context.collections
  known.isDown = true
  await fire('c1')
  await queues.events.runDue()
  t.match(await events.findOne(), { state: 'due' })
  known.isDown = false
  pass(61_000)
  await queues.events.runDue()
  t.equal(heard['first']?.length, 1)
  t.equal(heard['second']?.length, 2, 'it hears of it twice')
  t.match(await events.findOne(), { state: 'done' })
  known.isDown = true
  await fire('c2')
  pass(4 * 86_400_000)
  await queues.events.runDue()
  t.equal(await events.countDocuments({ state: 'due' }), 0, 'it is given up')
})
