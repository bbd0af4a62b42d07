// What is made at its first use.
import { test } from 'tap'
import { atFirstUse } from './at-first-use.ts'

test('a value is made at the first call, and once', (t) => {
  let made = 0
  const value = atFirstUse(() => ({ number: ++made }))
  t.equal(made, 0)
  t.equal(value(), value())
  t.equal(made, 1)
  t.end()
})

test('a value that may be undefined is made once', (t) => {
  let asked = 0
  const value = atFirstUse(() => {
    asked++
    return undefined
  })
  value()
  value()
  t.equal(asked, 1)
  t.end()
})

test('what failed is tried again at the next call, thrown or rejected', async (t) => {
  for (const fail of [() => Promise.reject(new Error('not yet')), () => thrown()]) {
    let tries = 0
    const value = atFirstUse<unknown>(() => (++tries === 1 ? fail() : 'made'))
    await t.rejects(async () => value(), { message: 'not yet' })
    t.equal(await value(), 'made')
  }
})

function thrown(): never {
  throw new Error('not yet')
}
