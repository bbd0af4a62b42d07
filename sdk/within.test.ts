// Waiting with an end.
import { test } from 'tap'
import { settledWithin, within } from './within.ts'

const overdue = () => new Error('too late')

test('what ends in time counts', async (t) => {
  t.equal(await within(Promise.resolve(7), { deadline: { ms: 1000, overdue } }), 7)
  t.equal(await within(7, {}), 7)
  await t.rejects(within(Promise.reject(new Error('broken')), {}), /broken/)
})

test('what does not end is left', async (t) => {
  await t.rejects(within(new Promise(() => {}), { deadline: { ms: 1, overdue } }), /too late/)
})

test('a signal ends the waiting with its reason, also when it was aborted before', async (t) => {
  const stop = new AbortController()
  const waiting = within(new Promise(() => {}), { signal: stop.signal })
  stop.abort(new Error('called off'))
  await t.rejects(waiting, /called off/)
  await t.rejects(within(new Promise(() => {}), { signal: stop.signal }), /called off/)
})

test('work is waited for until its time is over', async (t) => {
  await settledWithin(new Promise(() => {}), 1)
  await settledWithin(Promise.resolve(), 60_000)
  await t.rejects(settledWithin(Promise.reject(new Error('no')), 60_000), { message: 'no' })
})
