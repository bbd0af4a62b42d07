// The layout of keys.
import fc from 'fast-check'
import { test } from 'tap'
import {
  afterKey,
  afterPrefix,
  idOfSharedKey,
  isSplit,
  joinedKey,
  numberKey,
  numberOfKey,
  ownPart,
  restOfKey,
  sharedIndexKey,
  sharedPart,
  splitIndexKey,
  splitTree,
  textOfKey,
  treeKey,
  treeStart
} from './tree-keys.ts'

const bytes = fc.uint8Array({ maxLength: 300 }).map((list) => Buffer.from(list))
const tree = fc.integer({ min: 0, max: 2 ** 31 - 2 })

test('a shared index entry gives back its key and its document', (t) => {
  fc.assert(
    fc.property(tree, bytes, bytes, (number, key, id) => {
      const whole = sharedIndexKey(number, key, id)
      return Buffer.compare(idOfSharedKey(whole), id) === 0
    })
  )
  t.end()
})

test('a split index entry gives back its document, and is made whole from its two parts', (t) => {
  fc.assert(
    fc.property(tree, bytes, bytes, fc.nat(300), (number, key, id, shared) => {
      const whole = splitIndexKey(splitTree(number), key, id, Math.min(shared, key.length))
      const [begin, end] = [sharedPart(whole), ownPart(whole)]
      return (
        isSplit(whole) &&
        Buffer.compare(idOfSharedKey(whole), id) === 0 &&
        Buffer.compare(joinedKey(begin, end), whole) === 0 &&
        begin.length === 4 + Math.min(shared, key.length)
      )
    })
  )
  t.end()
})

test('keys of a tree are between its start and the start of the next tree', (t) => {
  fc.assert(
    fc.property(tree, bytes, (number, rest) => {
      const key = treeKey(number, rest)
      return (
        Buffer.compare(treeStart(number), key) <= 0 &&
        Buffer.compare(key, treeStart(number + 1)) < 0 &&
        Buffer.compare(restOfKey(key), rest) === 0
      )
    })
  )
  t.end()
})

test('afterPrefix is above all that begins so, and above nothing else', (t) => {
  fc.assert(
    fc.property(bytes, bytes, (prefix, rest) => {
      const after = afterPrefix(prefix)
      const key = Buffer.concat([prefix, rest])
      if (after === undefined) return prefix.every((byte) => byte === 0xff)
      const isAbove = Buffer.compare(key, after) < 0
      const startsSo = Buffer.compare(after.subarray(0, prefix.length), prefix) !== 0
      return isAbove && startsSo
    })
  )
  t.end()
})

test('afterKey is the very next key', (t) => {
  const key = Buffer.from('ab')
  t.ok(Buffer.compare(key, afterKey(key)) < 0)
  t.same([...afterKey(key)], [97, 98, 0])
  t.end()
})

test('numbers and texts of keys keep their order', (t) => {
  t.equal(numberOfKey(numberKey(3, 70_000)), 70_000)
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const order = Buffer.compare(a, b)
      const left = textOfKey(a)
      const right = textOfKey(b)
      return order === (left < right ? -1 : left > right ? 1 : 0)
    })
  )
  t.end()
})
