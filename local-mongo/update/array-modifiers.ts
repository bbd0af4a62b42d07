// Modifiers of arrays: $push, $addToSet, $pull, $pullAll and $pop.

import { toDouble, toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, TYPE, typeCode, typeName, type Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import { elementOrder } from '../expressions/array-operators.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import { parseFilter } from '../query/filter.ts'
import { isOperatorDoc } from '../query/parse-operator.ts'
import {
  KEEP,
  type ModifierContext,
  type ModifierOptions,
  type ModifierParser
} from './modifier.ts'
import { shown } from './shown.ts'

function needArray(current: Result, context: ModifierContext): readonly Value[] {
  if (current === MISSING) return []
  if (Array.isArray(current)) return current
  throw commandError(
    'BadValue',
    `The field '${context.path.join('.')}' must be an array but is of type ${typeName(current)} in document {_id: ${context.idOf()}}`
  )
}

/** The values of `$each`, or the one value. */
function eachOf(argument: Value, operator: string): readonly Value[] | undefined {
  if (!isDoc(argument) || [...argument.keys()][0] === undefined || !argument.has('$each'))
    return undefined
  const each = argument.get('$each')
  if (Array.isArray(each)) return each
  throw commandError(
    operator === '$push' ? 'BadValue' : 'TypeMismatch',
    `The argument to $each in ${operator} must be an array but it was of type: ${typeName(each)}`
  )
}

interface PushClauses {
  readonly each: readonly Value[]
  readonly position: number | undefined
  readonly slice: number | undefined
  readonly compare: ((a: Value, b: Value) => number) | undefined
}

const PUSH_CLAUSES = new Set(['$each', '$position', '$slice', '$sort'])

function parseClauses(argument: Value, { collation }: ModifierOptions): PushClauses {
  const each = eachOf(argument, '$push')
  if (each === undefined)
    return { each: [argument], position: undefined, slice: undefined, compare: undefined }
  const clauses = argument as Doc
  for (const name of clauses.keys()) {
    if (!PUSH_CLAUSES.has(name))
      throw commandError('BadValue', `Unrecognized clause in $push: ${name}`)
  }
  return {
    each,
    position: clauseNumber(clauses, '$position'),
    slice: clauseNumber(clauses, '$slice'),
    compare: clauses.has('$sort') ? sortOf(clauses.get('$sort'), collation) : undefined
  }
}

function clauseNumber(clauses: Doc, name: string): number | undefined {
  if (!clauses.has(name)) return undefined
  const value = clauses.get(name)
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (whole !== undefined) return Number(whole)
  throw commandError(
    'BadValue',
    `The value for ${name} must be an integer value but was given type: ${typeName(value)}`
  )
}

function sortOf(
  sort: Value,
  collation: ModifierOptions['collation']
): (a: Value, b: Value) => number {
  const isDirection = isNumeric(sort) && Math.abs(toDouble(sort)) === 1
  if (!isDirection && (!isDoc(sort) || sort.size === 0)) {
    throw commandError(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields'
    )
  }
  try {
    return elementOrder(sort, { collation })
  } catch (cause) {
    throw commandError('BadValue', 'The $sort element value must be either 1 or -1', { cause })
  }
}

const parsePush: ModifierParser = (argument, _path, options) => {
  const { each, position, slice, compare } = parseClauses(argument, options)
  return {
    creates: true,
    change: (current, context) => {
      const list = needArray(current, context)
      const start = placeIn(list, position)
      const joined = [...list.slice(0, start), ...each, ...list.slice(start)]
      const sorted = compare ? sortValues(joined, compare) : joined
      const isSame = each.length === 0 && current !== MISSING && !compare && slice === undefined
      if (isSame) return KEEP
      return slice === undefined ? sorted : sliced(sorted, slice)
    }
  }
}

function sortValues(list: readonly Value[], compare: (a: Value, b: Value) => number): Value[] {
  // Boxed, because Array.sort puts undefined last without asking.
  return list
    .map((value) => ({ value }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ value }) => value)
}

function placeIn(list: readonly Value[], position: number | undefined): number {
  if (position === undefined) return list.length
  return position < 0 ? Math.max(0, list.length + position) : Math.min(position, list.length)
}

function sliced(list: Value[], slice: number): Value[] {
  if (slice === 0) return []
  return slice > 0 ? list.slice(0, slice) : list.slice(slice)
}

const parseAddToSet: ModifierParser = (argument, _path, { collation }) => {
  const each = eachOf(argument, '$addToSet')
  if (each !== undefined && (argument as Doc).size > 1) {
    throw commandError('BadValue', 'Found unexpected fields after $each in $addToSet')
  }
  return {
    creates: true,
    change: (current, context) => {
      const list = needArray(current, context)
      const known = new ValueSet(list, collation)
      const added = (each ?? [argument]).filter((value) => known.add(value))
      return added.length === 0 && current !== MISSING ? KEEP : [...list, ...added]
    }
  }
}

type Test = (element: Value) => boolean

/** A condition on elements: on their fields, on themselves, or equality. */
/** A condition of $and, $or or $nor speaks of the whole element. */
function isLogical(condition: Doc): boolean {
  const [first = ''] = condition.keys()
  return first === '$and' || first === '$or' || first === '$nor'
}

function pullTest(condition: Value, { collation, now }: ModifierOptions): Test {
  if (isDoc(condition) && (!isOperatorDoc(condition) || isLogical(condition))) {
    // The element is a document: read on as the condition of an $elemMatch.
    const filter = parseFilter(new Map([['', new Map([['$elemMatch', condition]])]]), {
      collation,
      now
    })
    return (element) => isDoc(element) && filter.matchesDoc(new Map([['', [element]]]))
  }
  if (isDoc(condition) || typeCode(condition) === TYPE.regex) {
    const filter = parseFilter(new Map([['', condition]]), { collation, now })
    return (element) => filter.matchesDoc(new Map([['', element]]))
  }
  const set = new ValueSet([condition], collation)
  return (element) => set.has(element)
}

function remover(test: Test, operator: string): ReturnType<ModifierParser> {
  return {
    creates: false,
    change: (current) => {
      if (current === MISSING) return KEEP
      if (!Array.isArray(current))
        throw commandError('BadValue', `Cannot apply ${operator} to a non-array value`)
      const rest = current.filter((element) => !test(element))
      return rest.length === current.length ? KEEP : rest
    }
  }
}

const parsePullAll: ModifierParser = (argument, path, { collation }) => {
  if (!Array.isArray(argument)) {
    throw commandError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeName(argument)} for ${path}`
    )
  }
  const set = new ValueSet(argument, collation)
  return remover((element) => set.has(element), '$pullAll')
}

const parsePop: ModifierParser = (argument) => {
  const end = isNumeric(argument) ? toWhole(argument) : undefined
  if (end !== 1n && end !== -1n)
    throw commandError('FailedToParse', `$pop expects 1 or -1, found: ${shown(argument)}`)
  return {
    creates: false,
    change: (current, context) => {
      if (current === MISSING) return KEEP
      if (!Array.isArray(current)) {
        throw commandError(
          'TypeMismatch',
          `Path '${context.path.join('.')}' contains an element of non-array type '${typeName(current)}'`
        )
      }
      if (current.length === 0) return KEEP
      return end === 1n ? current.slice(0, -1) : current.slice(1)
    }
  }
}

export const ARRAY_MODIFIERS: Readonly<Record<string, ModifierParser>> = {
  $push: parsePush,
  $addToSet: parseAddToSet,
  $pull: (argument, _path, options) => remover(pullTest(argument, options), '$pull'),
  $pullAll: parsePullAll,
  $pop: parsePop
}
