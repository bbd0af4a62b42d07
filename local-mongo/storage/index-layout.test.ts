// Which indexes are turned around and end in the _id, and how the catalog keeps that.
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import type { KeyPart } from '../bson/index-keys.ts'
import {
  decodeLayout,
  encodeLayout,
  layoutOf,
  PLAIN_LAYOUT,
  sharedPartsOf,
  writtenParts
} from './index-layout.ts'

const NEWEST: readonly KeyPart[] = [
  { path: 'tenant', direction: 1 },
  { path: 'at', direction: -1 },
  { path: '_id', direction: -1 }
]
const NONE = [undefined, undefined]

test('an index whose last part descends is written the other way round', (t) => {
  const layout = layoutOf(NEWEST, false, NONE)
  t.equal(layout.isTurned, true)
  t.same(
    writtenParts(NEWEST, layout).map(({ direction }) => direction),
    [-1, 1, 1]
  )
  t.equal(layoutOf([{ path: 'at', direction: 1 }], false, NONE).isTurned, false)
  t.end()
})

test('an index that ends in the _id keeps it once', (t) => {
  t.equal(layoutOf(NEWEST, false, NONE).endsInId, true)
  t.equal(layoutOf(NEWEST, true, NONE).endsInId, false, 'not a unique one')
  t.equal(layoutOf(NEWEST.slice(2), false, NONE).endsInId, false, 'not the _id alone')
  t.equal(layoutOf(NEWEST.slice(0, 2), false, NONE).endsInId, false)
  const english = parseCollation(doc({ locale: 'en', strength: 2 }))
  t.equal(layoutOf(NEWEST, false, [english, undefined]).endsInId, false, 'texts are not as in _id')
  t.equal(layoutOf(NEWEST, false, [undefined, english]).endsInId, false)
  t.end()
})

test('entries share all parts but the last before the _id', (t) => {
  const layout = layoutOf(NEWEST, false, NONE)
  t.equal(sharedPartsOf(3, layout), 1)
  t.equal(sharedPartsOf(3, { ...layout, endsInId: false }), 2)
  t.equal(sharedPartsOf(1, layout), 0)
  t.equal(sharedPartsOf(3, layoutOf(NEWEST, true, NONE)), 0, 'a unique index is not split')
  t.end()
})

test('a layout is read as it was written, and indexes of before have the plain one', (t) => {
  for (const isTurned of [true, false]) {
    for (const endsInId of [true, false]) {
      for (const isSplit of [true, false]) {
        const layout = { isTurned, endsInId, isSplit }
        t.same(decodeLayout(encodeLayout(layout)), layout)
      }
    }
  }
  t.same(decodeLayout(undefined), PLAIN_LAYOUT)
  t.end()
})
