// Hints for mistyped names.
import { test } from 'tap'
import { nameHint, nearestName } from './nearest-name.ts'

test('a mistyped name is near what was meant', async (t) => {
  const known = ['routes', 'requires', 'bodyLimit', 'id']
  t.equal(nearestName('rotues', known), 'routes', 'two letters swapped')
  t.equal(nearestName('bodyLimitt', known), 'bodyLimit', 'one too many')
  t.equal(nearestName('BodyLimit', known), 'bodyLimit', 'another case')
  t.equal(nearestName('requirs', known), 'requires', 'one missing')
})

test('a name that is far from all has no hint', async (t) => {
  t.equal(nearestName('something', ['routes', 'id']), undefined)
  t.equal(nearestName('x', []), undefined)
})

test('a hint names the nearest, or what there is', async (t) => {
  t.equal(nameHint('rotues', ['routes']), 'Did you mean routes?')
  t.equal(nameHint('something', ['routes', 'id']), 'Remove it, or use one of: routes, id.')
  t.equal(nameHint('something', []), 'Remove it: nothing is allowed here.')
  const many = Array.from({ length: 31 }, (_, number) => `key-number-${number}`)
  t.equal(nameHint('x', many), 'Remove it.')
})
