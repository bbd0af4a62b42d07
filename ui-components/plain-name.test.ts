// Names that others chose, as pages show them.
import { test } from 'tap'
import { plainName } from './plain-name.ts'

test('control characters of a name are not shown', async (t) => {
  t.equal(plainName(' Good\u202Eeliv\u0000\n App '), 'Good eliv App')
  t.equal(plainName('\u200B'), '?')
})
