// Waiting for a change.
import { test } from 'tap'
import { createSignal } from './signal.ts'

test('a wait ends at the next change', async (t) => {
  const signal = createSignal()
  const waited = signal.wait(60_000)
  signal.notify()
  await waited
  t.pass()
})

test('a change before the wait is not missed', async (t) => {
  const signal = createSignal()
  signal.notify()
  await signal.wait(60_000)
  t.pass()
})

test('without a change a wait ends after its time', async (t) => {
  await createSignal().wait(1)
  t.pass()
})
