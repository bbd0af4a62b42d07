// $push, $addToSet, $pop, $pull and $pullAll: what they make of the array at their path.
import type { Collation } from '../bson/collation.ts'
import { compareValues, equalValues } from '../bson/compare.ts'
import { toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { parseSort } from '../query/sort.ts'
import { ABSENT, KEEP, type Modified, type Modifier } from './modify.ts'
import { isSame } from './same.ts'
import { shown } from './shown.ts'

export interface ArrayOptions {
  readonly collation: Collation | undefined
  readonly let: Doc | undefined
  readonly now: Date
}

interface PushPlan {
  readonly each: readonly Value[]
  readonly position: number | undefined
  readonly slice: number | undefined
  readonly compare: ((a: Value, b: Value) => number) | undefined
}

/** `$push`, with `$each`, `$position`, `$slice` and `$sort`. */
export function push(argument: Value, _path: string, { collation }: ArrayOptions): Modifier {
  const plan = pushPlan(argument, collation)
  return (current, at) => {
    const before = arrayAt(
      current,
      at,
      'BadValue',
      (type) => `The field '${at}' must be an array but is of type ${type}`
    )
    const after = pushed(before, plan)
    return current !== ABSENT && isSame([...before], after) ? KEEP : after
  }
}

function pushed(before: readonly Value[], { each, position, slice, compare }: PushPlan): Value[] {
  const start = position === undefined ? before.length : placeOf(position, before.length)
  const all = [...before.slice(0, start), ...each, ...before.slice(start)]
  if (compare !== undefined) all.sort(compare)
  if (slice === undefined) return all
  if (slice === 0) return []
  return slice > 0 ? all.slice(0, slice) : all.slice(slice)
}

function placeOf(position: number, length: number): number {
  return position < 0 ? Math.max(0, length + position) : Math.min(position, length)
}

const PUSH_CLAUSES = new Set(['$each', '$position', '$slice', '$sort'])

function pushPlan(argument: Value, collation: Collation | undefined): PushPlan {
  if (!isDoc(argument) || !argument.has('$each')) {
    return { each: [argument], position: undefined, slice: undefined, compare: undefined }
  }
  for (const name of argument.keys()) {
    if (!PUSH_CLAUSES.has(name)) {
      throw commandError('BadValue', `Unrecognized clause in $push: ${name}`)
    }
  }
  return {
    each: eachOf(argument, '$push'),
    position: wholeClause(argument, '$position'),
    slice: wholeClause(argument, '$slice'),
    compare: sortClause(argument.get('$sort'), argument.has('$sort'), collation)
  }
}

function eachOf(argument: Doc, name: string): readonly Value[] {
  const each = argument.get('$each')
  if (Array.isArray(each)) return each
  const code = name === '$addToSet' ? 'TypeMismatch' : 'BadValue'
  throw commandError(
    code,
    `The argument to $each in ${name} must be an array but it was of type: ${typeName(each)}`
  )
}

function wholeClause(argument: Doc, name: string): number | undefined {
  if (!argument.has(name)) return undefined
  const value = argument.get(name)
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (whole !== undefined) return Number(whole)
  throw commandError(
    'BadValue',
    `The value for ${name} must be an integer value but was given type: ${typeName(value)}`
  )
}

function sortClause(
  spec: Value,
  isGiven: boolean,
  collation: Collation | undefined
): PushPlan['compare'] {
  if (!isGiven) return undefined
  if (isDoc(spec) && spec.size > 0) {
    const sort = parseSort(spec, { collation })
    return (a, b) => sort.compare(isDoc(a) ? a : new Map(), isDoc(b) ? b : new Map())
  }
  const direction = isNumeric(spec) ? Number(toWhole(spec) ?? 0n) : 0
  if (direction === 1 || direction === -1) {
    return (a, b) => compareValues(a, b, collation) * direction
  }
  throw commandError('BadValue', 'The $sort element value must be either 1 or -1')
}

/** `$addToSet`, with `$each`. */
export function addToSet(argument: Value, _path: string, { collation }: ArrayOptions): Modifier {
  const isEach = isDoc(argument) && argument.has('$each')
  if (isEach && argument.size > 1) {
    const other = [...argument.keys()].find((name) => name !== '$each')
    throw commandError('BadValue', `Found unexpected fields after $each in $addToSet: ${other}`)
  }
  const candidates = isEach ? eachOf(argument, '$addToSet') : [argument]
  return (current, at) => {
    const before = arrayAt(
      current,
      at,
      'BadValue',
      (type) =>
        `Cannot apply $addToSet to non-array field. Field named '${at}' has non-array type ${type}`
    )
    const after = [...before]
    for (const candidate of candidates) {
      if (!after.some((value) => equalValues(value, candidate, collation))) after.push(candidate)
    }
    return current !== ABSENT && after.length === before.length ? KEEP : after
  }
}

/** `$pop`: 1 takes the last element away, -1 the first. */
export function pop(argument: Value, _path: string): Modifier {
  const which = isNumeric(argument) ? toWhole(argument) : undefined
  if (which !== 1n && which !== -1n) {
    throw commandError('FailedToParse', `$pop expects 1 or -1, found: ${shown(argument)}`)
  }
  return (current, at) => {
    if (current === ABSENT) return KEEP
    const before = arrayAt(
      current,
      at,
      'TypeMismatch',
      (type) => `Path '${at}' contains an element of non-array type '${type}'`
    )
    if (before.length === 0) return KEEP
    return which === 1n ? before.slice(0, -1) : before.slice(1)
  }
}

/** `$pull`: by value, by conditions on the element, or by a query on elements that are documents. */
export function pull(argument: Value, _path: string, options: ArrayOptions): Modifier {
  const isPulled = elementTest(argument, options)
  return (current, at) => without(current, at, '$pull', isPulled)
}

/** `$pullAll` */
export function pullAll(argument: Value, _path: string, { collation }: ArrayOptions): Modifier {
  if (!Array.isArray(argument)) {
    throw commandError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeName(argument)}`
    )
  }
  return (current, at) =>
    without(current, at, '$pullAll', (element) =>
      argument.some((value) => equalValues(value, element, collation))
    )
}

function without(
  current: Value | typeof ABSENT,
  at: string,
  name: string,
  isPulled: (element: Value) => boolean
): Modified {
  if (current === ABSENT) return KEEP
  const before = arrayAt(current, at, 'BadValue', () => `Cannot apply ${name} to a non-array value`)
  const after = before.filter((element) => !isPulled(element))
  return after.length === before.length ? KEEP : after
}

function elementTest(argument: Value, options: ArrayOptions): (element: Value) => boolean {
  const isCondition = isDoc(argument) && [...argument.keys()][0]?.startsWith('$') === true
  const isRegex =
    typeof argument === 'object' &&
    argument !== null &&
    '_bsontype' in argument &&
    argument._bsontype === 'BSONRegExp'
  if (isCondition || isRegex) {
    const filter = parseFilter(new Map([['e', argument]]), options)
    return (element) => filter.matchesDoc(new Map([['e', element]]))
  }
  if (isDoc(argument)) {
    const filter = parseFilter(argument, options)
    return (element) => isDoc(element) && filter.matchesDoc(element)
  }
  return (element) => equalValues(element, argument, options.collation)
}

function arrayAt(
  current: Value | typeof ABSENT,
  _at: string,
  codeName: 'BadValue' | 'TypeMismatch',
  message: (type: string) => string
): readonly Value[] {
  if (current === ABSENT) return []
  if (Array.isArray(current)) return current
  throw commandError(codeName, message(typeName(current)))
}
