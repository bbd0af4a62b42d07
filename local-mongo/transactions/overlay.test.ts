// An overlay against a plain map: any mix of changes reads as if they had been made in the base.
import fc from 'fast-check'
import { test } from 'tap'
import type { Entry, View, Walk } from '../storage/view.ts'
import { Overlay } from './overlay.ts'
import { SortedTexts } from './sorted-texts.ts'

const key = (text: string) => Buffer.from(text, 'latin1')

function walkOver(entries: readonly Entry[]): Walk {
  let next = 0
  return { next: () => entries[next++], close: () => undefined }
}

/** A view over a map. */
function viewOf(map: ReadonlyMap<string, string>): View {
  const range = (low: Uint8Array, high: Uint8Array, reverse: boolean) => {
    const sorted = [...map.entries()]
      .map(([name, value]) => ({ key: key(name), value: key(value) }))
      .filter((entry) => Buffer.compare(low, entry.key) <= 0 && Buffer.compare(entry.key, high) < 0)
      .sort((a, b) => Buffer.compare(a.key, b.key))
    return reverse ? sorted.reverse() : sorted
  }
  return {
    get: (name) => {
      const value = map.get(Buffer.from(name).toString('latin1'))
      return value === undefined ? undefined : key(value)
    },
    has: (name) => map.has(Buffer.from(name).toString('latin1')),
    range: (low, high, reverse) => walkOver(range(low, high, reverse)),
    entries: ({ low, high }, reverse) => walkOver(range(low.bytes, high.bytes, reverse)),
    countRange: (low, high) => range(low, high, false).length
  }
}

function show(walk: Walk): string[] {
  const all: string[] = []
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    all.push(
      `${Buffer.from(entry.key).toString('latin1')}=${Buffer.from(entry.value).toString('latin1')}`
    )
  }
  walk.close()
  return all
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u00ff', '\0'), maxLength: 3 })
const pairs = fc.array(fc.tuple(name, fc.constantFrom('1', '2', '')), { maxLength: 12 })
/** Split entries have no value. */
const change = fc
  .tuple(fc.constantFrom('put', 'putIfAbsent', 'remove'), name, fc.constantFrom('3', '4', ''))
  .map(([kind, at, value]) => [kind, at, at.startsWith('\u00ff') ? '' : value] as const)

const everything = (view: View) =>
  show(view.range(key(''), key('\u00ff\u00ff\u00ff\u00ff'), false)).join()

/** Whether the overlay's changes, made in its base, give what is expected. */
function isAppliedAs(
  overlay: Overlay,
  base: readonly (readonly [string, string])[],
  expected: View
): boolean {
  const applied = new Map<string, string>(base)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  overlay.applyTo({
    put: (at, value) => applied.set(text(at), text(value)),
    remove: (at) => applied.delete(text(at))
  })
  return everything(viewOf(applied)) === everything(expected)
}

test('an overlay reads like a map with the same changes', (t) => {
  fc.assert(
    fc.property(
      pairs,
      fc.array(change, { maxLength: 15 }),
      name,
      name,
      fc.boolean(),
      fc.boolean(),
      (base, changes, from, to, reverse, isLookedAt) => {
        const model = new Map<string, string>(base)
        const overlay = new Overlay(viewOf(new Map(base)))
        for (const [kind, at, value] of changes) {
          if (kind === 'put') {
            overlay.put(key(at), key(value))
            model.set(at, value)
          } else if (kind === 'remove') {
            overlay.remove(key(at))
            model.delete(at)
          } else {
            if (overlay.putIfAbsent(key(at), key(value)) === model.has(at))
              throw new Error('putIfAbsent')
            if (!model.has(at)) model.set(at, value)
          }
          if (isLookedAt && overlay.has(key(at)) !== model.has(at)) throw new Error('has')
        }
        const expected = viewOf(model)
        if (!isLookedAt) return isAppliedAs(overlay, base, expected)
        const range = [key(from), key(to), reverse] as const
        if (show(overlay.range(...range)).join() !== show(expected.range(...range)).join())
          throw new Error('range')
        if (overlay.countRange(key(from), key(to)) !== expected.countRange(key(from), key(to)))
          throw new Error('count')
        return isAppliedAs(overlay, base, expected)
      }
    ),
    { numRuns: 500 }
  )
  t.end()
})

test('an overlay knows how much it holds', (t) => {
  const overlay = new Overlay(viewOf(new Map([['a', '1']])))
  t.equal(overlay.isEmpty, true)
  overlay.put(key('b'), Buffer.alloc(1_000))
  const { bytes } = overlay
  t.ok(bytes >= 1_000)
  overlay.put(key('b'), Buffer.alloc(10))
  t.equal(overlay.bytes, bytes - 990)
  overlay.remove(key('b'))
  t.equal(overlay.isEmpty, false)
  overlay.clear()
  t.equal(overlay.isEmpty, true)
  t.equal(overlay.bytes, 0)
  t.same(show(overlay.range(key(''), key('z'), false)), ['a=1'])
  t.end()
})

test('sorted texts stay sorted however many are added', (t) => {
  const texts = new SortedTexts()
  const all = Array.from({ length: 5_000 }, (_, i) => String((i * 7_919) % 5_000).padStart(4, '0'))
  for (const text of all) texts.add(text)
  const sorted = [...all].sort()
  const collect = (from: string, to: string, reverse: boolean) => {
    const found: string[] = []
    const iterator = texts.between(from, to, reverse)
    for (let step = iterator.next(); step.done !== true; step = iterator.next())
      found.push(step.value)
    return found
  }
  t.same(collect('', '9', false), sorted)
  t.same(collect('1234', '2345', false), sorted.slice(1_234, 2_345))
  t.same(collect('1234', '2345', true), sorted.slice(1_234, 2_345).reverse())
  t.same(collect('9', '99999', true), [])
  t.equal(texts.hasBetween('4999x', '9'), false)
  t.equal(texts.hasBetween('4999', '9'), true)
  t.equal(new SortedTexts().hasBetween('a', 'b'), false)
  t.end()
})
