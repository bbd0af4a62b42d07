// Work of the process while the database answers.
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'tap'
import { meanwhile } from './writes-ahead.ts'

test('work is done after the request has left and before its answer is waited for', async (t) => {
  const order: string[] = []
  const request = async () => {
    order.push('asked')
    await turn()
    await turn()
    order.push('answered')
    return 1
  }
  const both = await meanwhile(request(), () => {
    order.push('worked')
    return 2
  })
  t.same(both, [1, 2])
  t.same(order, ['asked', 'worked', 'answered'])
})

test('a request that fails while work waits for its turn fails after the work', async (t) => {
  const order: string[] = []
  const failing = Promise.reject(new Error('refused'))
  await t.rejects(
    meanwhile(failing, () => order.push('worked')),
    { message: 'refused' }
  )
  t.same(order, ['worked'])
})

test('work that fails ends after its request, whose failure is not unhandled', async (t) => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  let isOver = false
  const request = async () => {
    await turn()
    await turn()
    isOver = true
    throw new Error('late')
  }
  await t.rejects(
    meanwhile(request(), () => {
      throw new Error('work')
    }),
    { message: 'work' }
  )
  t.equal(isOver, true)
  await turn()
  t.same(unhandled, [])
})
