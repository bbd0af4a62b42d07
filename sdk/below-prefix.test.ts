// Addresses as seen from below a prefix.
import { test } from 'tap'
import { belowPrefix } from './below-prefix.ts'

test('a scope with a prefix sees addresses below it', async (t) => {
  t.equal(belowPrefix('', '/a'), '/a')
  t.equal(belowPrefix('/', '/a'), '/a')
  t.equal(belowPrefix('/scope', '/scope/a'), '/a')
  t.equal(belowPrefix('/scope', '/scope'), '/')
  t.equal(belowPrefix('/scope', '/scoped/a'), undefined)
})
