// The environment as its readers see it.
import { test } from 'tap'
import { environmentOf } from './environment.ts'

test('a variable that is set to the empty string is not set', (t) => {
  t.same(environmentOf({ A: 'a', B: '', C: undefined, D: ' ' }), { A: 'a', D: ' ' })
  const { B: value = 'default' } = environmentOf({ B: '' })
  t.equal(value, 'default')
  t.end()
})
