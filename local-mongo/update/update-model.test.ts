import fc from 'fast-check'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { encodeDoc } from '../bson/encode.ts'
import { CommandError } from '../errors.ts'
import { parseUpdate } from './update.ts'

// A naive model of updates on plain JavaScript data, against which the real one is checked.

type Plain = { [name: string]: unknown }

const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function place(
  root: Plain,
  path: string,
  makes: boolean
): { holder: Plain; name: string } | undefined {
  const names = path.split('.')
  let holder: unknown = root
  for (const name of names.slice(0, -1)) {
    if (!isObject(holder) && !Array.isArray(holder)) break
    const within = holder as Plain
    if (within[name] === undefined) {
      if (!makes) return undefined
      if (Array.isArray(holder)) pad(holder, Number(name))
      within[name] = {}
    }
    holder = within[name]
  }
  const name = names.at(-1) as string
  const fits = Array.isArray(holder) ? /^\d+$/.test(name) : isObject(holder)
  if (!fits) {
    if (makes) throw new Error('not viable')
    return undefined
  }
  return { holder: holder as Plain, name }
}

function pad(list: unknown[], index: number): void {
  if (Number.isNaN(index)) throw new Error('not viable')
  while (list.length < index) list.push(null)
}

const needNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error('not a number')
  return value
}
const needList = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new Error('not a list')
  return value
}
/** The order of numbers, texts, documents, lists, booleans and null among themselves. */
const rank = (value: unknown): number =>
  value === null
    ? 0
    : typeof value === 'number'
      ? 1
      : typeof value === 'string'
        ? 2
        : isObject(value)
          ? 3
          : Array.isArray(value)
            ? 4
            : 5

function less(a: unknown, b: unknown): boolean {
  if (rank(a) !== rank(b)) return rank(a) < rank(b)
  return typeof a === 'number' || typeof a === 'string' ? a < (b as typeof a) : false
}

const MODEL: {
  [operator: string]: { makes: boolean; change(current: unknown, argument: never): unknown }
} = {
  $set: { makes: true, change: (_current, argument) => argument },
  $unset: { makes: false, change: () => undefined },
  $inc: {
    makes: true,
    change: (current, by: number) => (current === undefined ? by : needNumber(current) + by)
  },
  $mul: {
    makes: true,
    change: (current, by: number) => (current === undefined ? 0 : needNumber(current) * by)
  },
  $min: {
    makes: true,
    change: (current, other) => (current === undefined || less(other, current) ? other : current)
  },
  $max: {
    makes: true,
    change: (current, other) => (current === undefined || less(current, other) ? other : current)
  },
  $push: {
    makes: true,
    change: (current, value) => [...needList(current === undefined ? [] : current), value]
  },
  $addToSet: {
    makes: true,
    change: (current, value) => {
      const list = needList(current === undefined ? [] : current)
      return list.some((element) => same(element, value)) ? list : [...list, value]
    }
  },
  $pop: {
    makes: false,
    change: (current, end: number) =>
      end === 1 ? needList(current).slice(0, -1) : needList(current).slice(1)
  },
  $pullAll: {
    makes: false,
    change: (current, values: unknown[]) =>
      needList(current).filter((element) => !values.some((value) => same(value, element)))
  }
}

function model(before: Plain, operator: string, path: string, argument: unknown): Plain {
  const root = structuredClone(before)
  const { makes, change } = MODEL[operator] as (typeof MODEL)[string]
  const found = place(root, path, makes)
  if (found === undefined) return root
  const { holder, name } = found
  const isThere =
    Object.hasOwn(holder, name) && (!Array.isArray(holder) || Number(name) < holder.length)
  if (!isThere && !makes) return root
  if (Array.isArray(holder)) pad(holder, Number(name))
  const next = change(isThere ? holder[name] : undefined, argument as never)
  if (next !== undefined) holder[name] = next
  else if (Array.isArray(holder)) holder[Number(name)] = null
  else delete holder[name]
  return root
}

const scalar = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom('x', 'y', ''),
  fc.constant(null)
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true
    })
  )
}))
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, {
  maxKeys: 3,
  noNullPrototype: true
})
const path = fc
  .tuple(
    fc.constantFrom('a', 'b'),
    fc.array(fc.constantFrom('a', 'b', '0', '1', '4'), { maxLength: 2 })
  )
  .map(([first, rest]) => [first, ...rest].join('.'))
const step = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$min', '$max', '$push', '$addToSet'), value),
  fc.tuple(fc.constantFrom('$inc', '$mul'), fc.integer({ min: -3, max: 3 })),
  fc.tuple(fc.constant('$unset'), fc.constant('')),
  fc.tuple(fc.constant('$pop'), fc.constantFrom(1, -1)),
  fc.tuple(fc.constant('$pullAll'), fc.array(scalar, { maxLength: 3 }))
)

const outcome = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    if (error instanceof CommandError || (error instanceof Error && /^not /.test(error.message)))
      return 'refused'
    throw error
  }
}
/** BSON tells -0 from 0, and JSON does not. */
const hasMinusZero = (given: unknown): boolean =>
  Object.is(given, -0) ||
  (typeof given === 'object' && given !== null && Object.values(given).some(hasMinusZero))

test('single operators do what a naive model does', async (t) => {
  fc.assert(
    fc.property(document, path, step, (before, at, [operator, argument]) => {
      if (
        hasMinusZero(argument) ||
        (['$min', '$max'].includes(operator) && typeof argument === 'object' && argument !== null)
      )
        return true
      const source = doc(before)
      const bytes = encodeDoc(source)
      const wanted = outcome(() => model(before, operator, at, argument))
      const got = outcome(() => {
        const update = parseUpdate(doc({ [operator]: { [at]: argument } }), {
          isMulti: false,
          now: new Date(0)
        })
        const result = update.apply(source)
        if (result.changed === same(plain(result.doc), before))
          throw new Error('says wrongly whether it changed')
        return plain(result.doc)
      })
      if (Buffer.compare(bytes, encodeDoc(source)) !== 0) throw new Error('changed its input')
      return same(sortKeys(got), sortKeys(wanted))
    }),
    { numRuns: 5000 }
  )
  t.pass()
})

function sortKeys(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(sortKeys)
  if (!isObject(given)) return Object.is(given, -0) ? 0 : given
  return Object.fromEntries(
    Object.keys(given)
      .sort()
      .map((name) => [name, sortKeys(given[name])])
  )
}
