// Which application a sign-in is for, when plugins fail or do not answer.
// Runs beside the others: it waits for much of its time.
import { test } from 'tap'
import { findPurpose } from './sign-in-purpose.ts'

test('the first plugin that knows the address names the application; one that fails is logged', async (t) => {
  const logged: string[] = []
  const log = { warn: (_fields: unknown, words: string) => void logged.push(words) }
  const sources = [
    { purposeOf: () => Promise.reject(new Error('down')) },
    { purposeOf: async () => undefined },
    { purposeOf: async (next: string) => ({ name: `App at ${next}` }) },
    { purposeOf: async () => ({ name: 'Late' }) }
  ]
  t.same(await findPurpose('/x', sources, log as never), { name: 'App at /x' })
  t.same(logged, ['the purpose of a sign-in could not be read'])
  t.equal(await findPurpose('/x', [], log as never), undefined)
})

test('a plugin that never answers does not keep the sign-in page', async (t) => {
  const silent = { purposeOf: () => new Promise<undefined>(() => {}) }
  t.equal(await findPurpose('/x', [silent], { warn: () => {} }), undefined)
})
