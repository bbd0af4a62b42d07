// An update by operators: read into steps, checked for conflicts, run in MongoDB's order.
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type ArrayFilters, checkArrayFilters, parseArrayFilters } from './array-filters.ts'
import { type ArrayOptions, addToSet, pop, pull, pullAll, push } from './array-operators.ts'
import { currentDate, rename, setTo, unset } from './field-operators.ts'
import { type Modifier, type ModifyContext, modifyPath } from './modify.ts'
import { bits, extreme, increment, multiply } from './number-operators.ts'
import { checkConflicts, comparePaths, parsePath, type UpdatePath } from './path.ts'
import { shown } from './shown.ts'

/** One operator on one field. */
export interface Step {
  readonly path: UpdatePath
  /** Further paths that it changes. */
  readonly others: readonly UpdatePath[]
  readonly isOnInsertOnly: boolean
  run(doc: Doc, context: ModifyContext): Doc
}

export interface OperatorUpdate {
  /** In the order to be run. */
  readonly steps: readonly Step[]
  readonly arrayFilters: ArrayFilters
}

export interface OperatorOptions extends ArrayOptions {
  readonly arrayFilters: readonly Doc[]
}

type MakeModifier = (argument: Value, path: string, options: OperatorOptions) => Modifier

interface Operator {
  readonly make: MakeModifier
  /** Whether missing documents on the way to the field are made. Default true. */
  readonly creates?: boolean
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$set', { make: setTo }],
  ['$setOnInsert', { make: setTo }],
  ['$unset', { make: unset, creates: false }],
  ['$currentDate', { make: (argument, _path, { now }) => currentDate(argument, now) }],
  ['$inc', { make: increment }],
  ['$mul', { make: multiply }],
  ['$min', { make: (argument, _path, { collation }) => extreme(argument, -1, collation) }],
  ['$max', { make: (argument, _path, { collation }) => extreme(argument, 1, collation) }],
  ['$bit', { make: bits }],
  ['$push', { make: push }],
  ['$addToSet', { make: addToSet }],
  ['$pop', { make: pop, creates: false }],
  ['$pull', { make: pull, creates: false }],
  ['$pullAll', { make: pullAll, creates: false }]
])

/** Fails with FailedToParse (9), ConflictingUpdateOperators (40) and what the operators refuse. */
export function parseOperators(update: Doc, options: OperatorOptions): OperatorUpdate {
  const steps = [...update].flatMap(([name, fields]) => stepsOf(name, fields, options))
  const paths = steps.flatMap(({ path, others }) => [path, ...others])
  checkConflicts(paths)
  const arrayFilters = parseArrayFilters(options.arrayFilters, options)
  checkArrayFilters(arrayFilters, paths)
  return { steps: steps.sort((a, b) => comparePaths(a.path, b.path)), arrayFilters }
}

function stepsOf(name: string, fields: Value, options: OperatorOptions): Step[] {
  const operator = OPERATORS.get(name)
  if (operator === undefined && name !== '$rename') {
    throw commandError(
      'FailedToParse',
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`
    )
  }
  if (!isDoc(fields)) {
    throw commandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${shown(fields)}}`
    )
  }
  return [...fields].map(([field, argument]) =>
    operator === undefined
      ? renameStep(field, argument)
      : modifierStep(name, operator, parsePath(field), argument, options)
  )
}

function renameStep(field: string, argument: Value): Step {
  const { from, to, run } = rename(parsePath(field), argument)
  return { path: from, others: [to], isOnInsertOnly: false, run }
}

function modifierStep(
  name: string,
  { make, creates = true }: Operator,
  path: UpdatePath,
  argument: Value,
  options: OperatorOptions
): Step {
  const modification = { path, modify: make(argument, path.text, options), creates }
  return {
    path,
    others: [],
    isOnInsertOnly: name === '$setOnInsert',
    run: (doc, context) => modifyPath(doc, modification, context)
  }
}
