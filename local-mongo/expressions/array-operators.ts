// Operators on lists.
import { Int32 } from 'bson'
import { compareValues, equalValues } from '../bson/compare.ts'
import { toDouble } from '../bson/numbers.ts'
import { parseSort } from '../bson/sort.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isNothing, MISSING, type Result, typeOf } from './expression.ts'
import {
  type NamedArguments,
  named,
  namedDoc,
  needInteger,
  needList,
  needText,
  positional,
  unary,
  unaryOrNull,
  variadic
} from './operator-arguments.ts'
import {
  combine,
  type ExpressionContext,
  type OperatorParser,
  parseExpression
} from './parse-expression.ts'
import { spend, spendOnOrder } from './turn-clock.ts'

function elementAt(list: Result, index: Result): Result {
  if (isNothing(list) || isNothing(index)) return null
  const items = needList(list, "$arrayElemAt's first argument", 'Location28689')
  const place = needInteger(index, "$arrayElemAt's second argument", 'Location28691')
  return pick(items, place < 0 ? items.length + place : place)
}

function pick(list: readonly Value[], index: number): Result {
  return index >= 0 && index < list.length ? (list[index] as Value) : MISSING
}

function slice([list = MISSING, first = MISSING, count]: readonly Result[]): Result {
  if (isNothing(list) || isNothing(first) || (count !== undefined && isNothing(count))) return null
  const items = needList(list, 'First argument to $slice', 'Location28724')
  const from = needInteger(first, 'Second argument to $slice', 'Location28726')
  if (count === undefined) return from >= 0 ? items.slice(0, from) : items.slice(from)
  const length = needInteger(count, 'Third argument to $slice', 'Location28728')
  if (length <= 0)
    throw commandError('Location28729', `Third argument to $slice must be positive: ${length}`)
  const start = from < 0 ? Math.max(0, items.length + from) : from
  return items.slice(start, start + length)
}

function concatArrays(values: readonly Result[]): Result {
  if (values.some(isNothing)) return null
  const lists = values.map((value) => {
    if (Array.isArray(value)) return value
    throw commandError('Location28664', `$concatArrays only supports arrays, not ${typeOf(value)}`)
  })
  const length = lists.reduce((sum, list) => sum + list.length, 0)
  checkLength(length, '$concatArrays')
  spend(length)
  return lists.flat(1)
}

function isIn(value: Result, list: Result, context: ExpressionContext): boolean {
  const items = needList(list, '$in requires an array as a second argument: it', 'Location40081')
  spend(items.length)
  return value !== MISSING && items.some((item) => equalValues(item, value, context.collation))
}

function indexOf(
  [list = MISSING, value = MISSING, start, end]: readonly Result[],
  context: ExpressionContext
): Result {
  if (isNothing(list)) return null
  const items = needList(
    list,
    '$indexOfArray requires an array as a first argument: it',
    'Location40090'
  )
  spend(items.length)
  const from = start === undefined ? 0 : bound(start, '$indexOfArray')
  const to = end === undefined ? items.length : Math.min(items.length, bound(end, '$indexOfArray'))
  for (let i = from; i < to; i++) {
    if (value !== MISSING && equalValues(items[i], value, context.collation)) return new Int32(i)
  }
  return new Int32(-1)
}

/** A starting or ending index that is not negative. */
export function bound(value: Result, name: string): number {
  const index = needInteger(value, `${name} requires an integral index: it`, 'Location40096')
  if (index < 0)
    throw commandError('Location40097', `${name} requires a nonnegative index: ${index}`)
  return index
}

const LONGEST_LIST = 1_000_000

/** Fails with ExceededMemoryLimit (146) before a list is made that is far too long. */
function checkLength(length: number, name: string): void {
  if (length <= LONGEST_LIST) return
  throw commandError(
    'ExceededMemoryLimit',
    `${name} would use too much memory (${length} elements)`
  )
}

function range([first = MISSING, last = MISSING, step]: readonly Result[]): Result {
  const start = needInteger(first, "$range's starting value", 'Location34444')
  const end = needInteger(last, "$range's ending value", 'Location34446')
  const by = step === undefined ? 1 : needInteger(step, "$range's step value", 'Location34448')
  if (by === 0) throw commandError('Location34449', '$range requires a non-zero step value')
  const count = Math.max(0, Math.ceil((end - start) / by))
  checkLength(count, '$range')
  spend(count)
  return Array.from({ length: count }, (_, index) => new Int32(start + index * by))
}

function arrayToObject(value: Value): Doc {
  const list = needList(value, '$arrayToObject requires an array input: it', 'Location40386')
  spend(list.length)
  const result: Doc = new Map()
  for (const item of list) {
    const [name, inner] = Array.isArray(item) ? pairOfList(item) : pairOfDoc(item)
    if (name.includes('\0'))
      throw commandError('Location4940400', 'Key field cannot contain an embedded null byte')
    result.set(name, inner)
  }
  return result
}

function pairOfList(item: readonly Value[]): readonly [string, Value] {
  if (item.length !== 2)
    throw commandError('Location40397', '$arrayToObject requires an array of size 2 arrays')
  return [needText(item[0] ?? null, '$arrayToObject: a key', 'Location40395'), item[1]]
}

function pairOfDoc(item: Value): readonly [string, Value] {
  if (!isDoc(item) || item.size !== 2 || !item.has('k') || !item.has('v')) {
    throw commandError('Location40392', "$arrayToObject requires an object keys of 'k' and 'v'")
  }
  return [needText(item.get('k') ?? null, '$arrayToObject: a key', 'Location40394'), item.get('v')]
}

function objectToArray(value: Value): Value[] {
  if (!isDoc(value))
    throw commandError(
      'Location40390',
      `$objectToArray requires a document input, found: ${typeOf(value)}`
    )
  return [...value].map(
    ([name, inner]) =>
      new Map<string, Value>([
        ['k', name],
        ['v', inner]
      ])
  )
}

/** The first, last, largest or smallest `n` of a list. */
function some(
  choose: (list: readonly Value[], n: number, context: ExpressionContext) => Value[]
): OperatorParser {
  return named(['n', 'input'], [], ({ n = MISSING, input = MISSING }, context) => {
    const count = needInteger(n, "'n'", 'Location5787902')
    if (count < 1)
      throw commandError('Location5787908', `'n' must be greater than 0, found ${count}`)
    return choose(needList(input, "'input'", 'Location5788200'), count, context)
  })
}

function largest(
  list: readonly Value[],
  n: number,
  sign: 1 | -1,
  context: ExpressionContext
): Value[] {
  spendOnOrder(list.length)
  return list
    .filter((value) => !isNothing(value))
    .sort((a, b) => sign * compareValues(a, b, context.collation))
    .slice(0, n)
}

const parseSortArray: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['input', 'sortBy'], [])
  const input = parseExpression(object.get('input'), context)
  const compare = elementOrder(object.get('sortBy'), context)
  return combine([input], (env) => {
    const list = input.evaluate(env)
    if (isNothing(list)) return null
    const values = needList(list, 'The input argument to $sortArray', 'Location2942504')
    spendOnOrder(values.length)
    const boxes = values.map((value) => ({ value }))
    return boxes.sort((a, b) => compare(a.value, b.value)).map(({ value }) => value)
  })
}

/** The order of `sortBy` or `$sort`: 1 or -1 for the elements themselves, or fields of them. */
export function elementOrder(
  sortBy: Value,
  { collation }: { readonly collation: ExpressionContext['collation'] }
): (a: Value, b: Value) => number {
  if (isDoc(sortBy)) {
    const sort = parseSort(sortBy, { collation })
    return (a, b) => sort.compare(isDoc(a) ? a : new Map(), isDoc(b) ? b : new Map())
  }
  const sign = isNumeric(sortBy) ? toDouble(sortBy) : 0
  if (sign !== 1 && sign !== -1) {
    throw commandError('Location2942507', 'The sort must be either an object or 1 or -1')
  }
  return (a, b) => sign * compareValues(a, b, collation)
}

function zip({ inputs = MISSING, useLongestLength, defaults = MISSING }: NamedArguments): Result {
  if (isNothing(inputs)) return null
  const lists = needList(inputs, '$zip found a non-array expression in input: it', 'Location34461')
  if (lists.length === 0)
    throw commandError('Location34465', '$zip requires at least one input array')
  if (lists.some((list) => isNothing(list))) return null
  const arrays = lists.map((list) =>
    needList(list, '$zip found a non-array expression in input: it', 'Location34468')
  )
  const fillers = isNothing(defaults)
    ? []
    : needList(defaults, 'The defaults of $zip', 'Location34462')
  if (fillers.length > 0 && useLongestLength !== true) {
    throw commandError('Location34466', 'cannot specify defaults unless useLongestLength is true')
  }
  if (fillers.length > 0 && fillers.length !== arrays.length) {
    throw commandError('Location34467', 'defaults and inputs must have the same length')
  }
  const lengths = arrays.map(({ length }) => length)
  const count = useLongestLength === true ? Math.max(...lengths) : Math.min(...lengths)
  spend(count * arrays.length)
  return Array.from({ length: count }, (_, row) =>
    arrays.map((list, column) => (row < list.length ? list[row] : (fillers[column] ?? null)))
  )
}

function endOf(place: 0 | -1, name: string): OperatorParser {
  return unaryOrNull((value) => {
    const list = needList(value, `${name}'s argument`, 'Location28689')
    return pick(list, place === 0 ? 0 : list.length - 1)
  })
}

/** `$first` and `$last` of a list. */
export const firstOfList = endOf(0, '$first')
export const lastOfList = endOf(-1, '$last')

export const ARRAYS: Readonly<Record<string, OperatorParser>> = {
  $arrayElemAt: positional(2, 2, ([list = MISSING, index = MISSING]) => elementAt(list, index)),
  $slice: positional(2, 3, slice),
  $concatArrays: variadic(concatArrays),
  $in: positional(2, 2, ([value = MISSING, list = MISSING], context) => isIn(value, list, context)),
  $indexOfArray: positional(2, 4, indexOf),
  $isArray: unary((value) => Array.isArray(value)),
  $range: positional(2, 3, range),
  $reverseArray: unaryOrNull((value) =>
    [...needList(value, 'The argument to $reverseArray', 'Location34435')].reverse()
  ),
  $size: unary(
    (value) => new Int32(needList(value, 'The argument to $size', 'Location17124').length)
  ),
  $arrayToObject: unaryOrNull(arrayToObject),
  $objectToArray: unaryOrNull(objectToArray),
  $sortArray: parseSortArray,
  $zip: named(['inputs'], ['useLongestLength', 'defaults'], zip),
  $first: firstOfList,
  $last: lastOfList,
  $firstN: some((list, n) => list.slice(0, n)),
  $lastN: some((list, n) => list.slice(-n)),
  $maxN: some((list, n, context) => largest(list, n, -1, context)),
  $minN: some((list, n, context) => largest(list, n, 1, context))
}
