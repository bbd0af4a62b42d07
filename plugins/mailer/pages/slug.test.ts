// Slugs made of names.
import { test } from 'tap'
import { slugFrom } from './slug.ts'

test('a slug has small letters, digits and single hyphens', async (t) => {
  t.equal(slugFrom('Spring sale, 2026!'), 'spring-sale-2026')
  t.equal(slugFrom('  Über – Größe '), 'uber-gro-e')
  t.equal(slugFrom('???'), '')
  t.equal(slugFrom(`${'a'.repeat(63)} b`), 'a'.repeat(63), 'no hyphen is left at the end')
})
