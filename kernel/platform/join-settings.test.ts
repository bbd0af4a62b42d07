// Putting settings over others.
import { test } from 'tap'
import { withSettings } from './join-settings.ts'

test('given settings go over those of the file, key by key', async (t) => {
  t.same(withSettings({ a: 1, deep: { b: 2, c: 3 }, list: [1] }, { deep: { c: 4 }, list: [2] }), {
    a: 1,
    deep: { b: 2, c: 4 },
    list: [2]
  })
})
