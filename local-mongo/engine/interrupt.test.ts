// What an operation fails with when it must end.
import { test } from 'tap'
import { commandError } from '../errors.ts'
import { checkInterrupt, interruptedBy } from './interrupt.ts'

const now = new Date()
const LATE = commandError('MaxTimeMSExpired', 'operation exceeded time limit')

test('a signal that names its reason ends the operation with it', async (t) => {
  const context = { now, signal: AbortSignal.abort(LATE) }
  t.throws(() => checkInterrupt(context), { code: 50 })
  await t.rejects(interruptedBy(context).happened, { code: 50 })
})

test('any other signal means that it was interrupted', async (t) => {
  const context = { now, signal: AbortSignal.abort() }
  t.throws(() => checkInterrupt(context), { code: 11_601 })
  await t.rejects(interruptedBy(context).happened, { code: 11_601 })
})

test('an operation that is past its time is late', async (t) => {
  const context = { now, signal: new AbortController().signal, deadlineMs: Date.now() - 1 }
  t.throws(() => checkInterrupt(context), { code: 50 })
  await t.rejects(interruptedBy(context).happened, { code: 50 })
})
