// The algebra of intervals against sets of numbers.
import fc from 'fast-check'
import { test } from 'tap'
import {
  complement,
  FULL,
  type Interval,
  intersection,
  isFull,
  startingWith,
  union
} from './intervals.ts'

const key = (number: number) => Uint8Array.of(number)

const interval: fc.Arbitrary<Interval> = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([low, length, isOpen]) => ({
    low: key(low),
    high: isOpen && length > 5 ? undefined : key(low + length),
    isPoint: length === 1
  }))
const intervals = fc.array(interval, { maxLength: 5 }).map(union)

function members(list: readonly Interval[]): number[] {
  const numbers: number[] = []
  for (let number = 0; number < 40; number++) {
    const isIn = list.some(
      ({ low, high }) =>
        Buffer.compare(low, key(number)) <= 0 &&
        (high === undefined || Buffer.compare(key(number), high) < 0)
    )
    if (isIn) numbers.push(number)
  }
  return numbers
}

const isSorted = (list: readonly Interval[]) =>
  list.every((one, i) => {
    const before = list[i - 1]
    return (
      before === undefined ||
      (before.high !== undefined && Buffer.compare(before.high, one.low) <= 0)
    )
  })

test('a union has what any of its parts has, sorted and without overlap', (t) => {
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 6 }), (parts) => {
      const all = new Set(parts.flatMap((part) => members([part])))
      const merged = union(parts)
      return isSorted(merged) && members(merged).join() === [...all].sort((a, b) => a - b).join()
    })
  )
  t.end()
})

test('an intersection has what both have', (t) => {
  fc.assert(
    fc.property(intervals, intervals, (a, b) => {
      const both = members(a).filter((number) => members(b).includes(number))
      const cut = intersection(a, b)
      return isSorted(cut) && members(cut).join() === both.join()
    })
  )
  t.end()
})

test('a complement has what the intervals have not', (t) => {
  fc.assert(
    fc.property(intervals, (list) => {
      const own = new Set(members(list))
      const others = members(FULL).filter((number) => !own.has(number))
      return members(complement(list)).join() === others.join()
    })
  )
  t.end()
})

test('everything is full, the rest is not', (t) => {
  t.ok(isFull(FULL))
  t.ok(isFull(complement([])))
  t.notOk(isFull([]))
  t.notOk(isFull([startingWith(key(3))]))
  t.same(members([startingWith(key(3))]), [3])
  t.end()
})
