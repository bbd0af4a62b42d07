// What gathers values over a group, a window or a list.
import { Double, Int32 } from 'bson'
import { addNumbers } from '../bson/arithmetic.ts'
import type { Collation } from '../bson/collation.ts'
import { compareValues } from '../bson/compare.ts'
import { sizeOfValue } from '../bson/encode.ts'
import { toDouble } from '../bson/numbers.ts'
import { Summation } from '../bson/summation.ts'
import { type Doc, isDoc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { isNothing, MISSING, orNull, type Result } from './expression.ts'
import { mergeInto } from './merge-documents.ts'

export interface Accumulator {
  add(value: Result): void
  result(): Value
  /** Bytes held, about; counted against the memory limit. */
  readonly size: number
}

export type AccumulatorFactory = (collation: Collation | undefined) => Accumulator

const SMALL = 64

function makeSum(): Accumulator {
  const sum = new Summation()
  return {
    size: SMALL,
    add: (value) => {
      if (value !== MISSING && isNumeric(value)) sum.add(value)
    },
    result: () => sum.total()
  }
}

function makeAverage(): Accumulator {
  const sum = new Summation()
  return {
    size: SMALL,
    add: (value) => {
      if (value !== MISSING && isNumeric(value)) sum.add(value)
    },
    result: () => sum.average() ?? null
  }
}

function makeCount(): Accumulator {
  let count: Numeric = new Int32(0)
  const one = new Int32(1)
  return {
    size: SMALL,
    add: () => {
      count = addNumbers(count, one)
    },
    result: () => count
  }
}

function extreme(sign: 1 | -1): AccumulatorFactory {
  return (collation) => {
    let best: Result = MISSING
    let size = SMALL
    return {
      get size() {
        return size
      },
      add: (value) => {
        if (isNothing(value)) return
        if (best !== MISSING && compareValues(value, best, collation) * sign >= 0) return
        best = value
        size = SMALL + sizeOfValue(value)
      },
      result: () => orNull(best)
    }
  }
}

function makeFirst(): Accumulator {
  let first: Value = null
  let isSet = false
  let size = SMALL
  return {
    get size() {
      return size
    },
    add: (value) => {
      if (isSet) return
      isSet = true
      first = orNull(value)
      size = SMALL + sizeOfValue(first)
    },
    result: () => first
  }
}

function makeLast(): Accumulator {
  let last: Value = null
  return {
    get size() {
      return SMALL + sizeOfValue(last)
    },
    add: (value) => {
      last = orNull(value)
    },
    result: () => last
  }
}

function makePush(): Accumulator {
  const list: Value[] = []
  let size = SMALL
  return {
    get size() {
      return size
    },
    add: (value) => {
      if (value === MISSING) return
      list.push(value)
      size += sizeOfValue(value) + 16
    },
    result: () => list
  }
}

function makeAddToSet(collation: Collation | undefined): Accumulator {
  const seen = new ValueSet([], collation)
  const list: Value[] = []
  let size = SMALL
  return {
    get size() {
      return size
    },
    add: (value) => {
      if (value === MISSING || !seen.add(value)) return
      list.push(value)
      size += sizeOfValue(value) * 2 + 64
    },
    result: () => list
  }
}

function makeMergeObjects(): Accumulator {
  const merged: Doc = new Map()
  let size = SMALL
  return {
    get size() {
      return size
    },
    add: (value) => {
      if (isDoc(value)) for (const [name, inner] of value) size += growth(merged, name, inner)
      mergeInto(merged, value)
    },
    result: () => merged
  }
}

function growth(doc: Doc, name: string, value: Value): number {
  const before = doc.has(name) ? sizeOfValue(doc.get(name)) : -(name.length + 2)
  return sizeOfValue(value) - before
}

/** Welford's running mean and sum of squares. */
function deviation(isSample: boolean): AccumulatorFactory {
  return () => {
    let count = 0
    let mean = 0
    let squares = 0
    return {
      size: SMALL,
      add: (value) => {
        if (value === MISSING || !isNumeric(value)) return
        count++
        const number = toDouble(value)
        const distance = number - mean
        mean += distance / count
        squares += distance * (number - mean)
      },
      result: () => {
        const divisor = isSample ? count - 1 : count
        return divisor > 0 ? new Double(Math.sqrt(squares / divisor)) : null
      }
    }
  }
}

/** The values below which given fractions lie: by rank, without interpolation. */
export function percentiles(fractions: readonly number[], isSingle: boolean): AccumulatorFactory {
  return () => {
    const numbers: number[] = []
    return {
      get size() {
        return SMALL + numbers.length * 8
      },
      add: (value) => {
        if (value !== MISSING && isNumeric(value) && !Number.isNaN(toDouble(value)))
          numbers.push(toDouble(value))
      },
      result: () => {
        const sorted = Float64Array.from(numbers).sort()
        const values = fractions.map((fraction) => atFraction(sorted, fraction))
        return isSingle ? (values[0] as Value) : values
      }
    }
  }
}

function atFraction(sorted: Float64Array, fraction: number): Value {
  if (sorted.length === 0) return null
  const rank = Math.max(0, Math.ceil(sorted.length * fraction) - 1)
  return new Double(sorted[Math.min(rank, sorted.length - 1)] as number)
}

/** Keeps values by keys that are given with them. */
export interface RankedAccumulator<K> extends Omit<Accumulator, 'add'> {
  add(key: K, value: Result): void
}

export interface Ranking<K> {
  readonly n: number
  readonly compare: (a: K, b: K) => number
  readonly sizeOfKey: (key: K) => number
  /** Makes the result of the kept values. */
  readonly shape: (values: Value[]) => Value
}

/** Keeps the `n` first by their keys; of equals those that came first. */
export function ranked<K>({ n, compare, sizeOfKey, shape }: Ranking<K>): RankedAccumulator<K> {
  const kept: { readonly key: K; readonly value: Value }[] = []
  let size = SMALL
  const sizeOf = (key: K, value: Value) => sizeOfValue(value) + sizeOfKey(key) + 32
  return {
    get size() {
      return size
    },
    add: (key, result) => {
      const last = kept.at(-1)
      if (kept.length === n && last && compare(last.key, key) <= 0) return
      const value = orNull(result)
      kept.splice(placeOf(kept, key, compare), 0, { key, value })
      size += sizeOf(key, value)
      const dropped = kept.length > n ? kept.pop() : undefined
      if (dropped) size -= sizeOf(dropped.key, dropped.value)
    },
    result: () => shape(kept.map(({ value }) => value))
  }
}

/** Where a key belongs: behind its equals. */
function placeOf<K>(
  kept: readonly { readonly key: K }[],
  key: K,
  compare: (a: K, b: K) => number
): number {
  let low = 0
  let high = kept.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare((kept[middle] as { key: K }).key, key) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The first or last `n` in the order of arrival. */
export function arrivals(n: number, isLast: boolean): Accumulator {
  const list: Value[] = []
  let size = SMALL
  return {
    get size() {
      return size
    },
    add: (result) => {
      if (!isLast && list.length === n) return
      const value = orNull(result)
      list.push(value)
      size += sizeOfValue(value) + 16
      if (list.length > n) size -= sizeOfValue(list.shift()) + 16
    },
    result: () => list
  }
}

/** Accumulators of one expression. */
export const ACCUMULATORS: ReadonlyMap<string, AccumulatorFactory> = new Map<
  string,
  AccumulatorFactory
>([
  ['$sum', makeSum],
  ['$avg', makeAverage],
  ['$count', makeCount],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
  ['$first', makeFirst],
  ['$last', makeLast],
  ['$push', makePush],
  ['$addToSet', makeAddToSet],
  ['$mergeObjects', makeMergeObjects],
  ['$stdDevPop', deviation(false)],
  ['$stdDevSamp', deviation(true)]
])
