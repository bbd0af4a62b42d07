// Updates by operators: read once, then applied path by path.
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type ArrayFilters, parseArrayFilters } from './array-filters.ts'
import { ARRAY_MODIFIERS } from './array-modifiers.ts'
import { changeDoc, type Effect, type Owned } from './change-doc.ts'
import { FIELD_MODIFIERS } from './field-modifiers.ts'
import type { Modifier, ModifierContext, ModifierOptions, ModifierParser } from './modifier.ts'
import { NUMBER_MODIFIERS } from './number-modifiers.ts'
import { parseRename, type Rename, renameField } from './rename.ts'
import { shown } from './shown.ts'
import {
  comparePaths,
  covers,
  expandPath,
  parseUpdatePath,
  type UpdatePath
} from './update-path.ts'

interface Modification {
  readonly path: UpdatePath
  readonly modifier: Modifier
}

export interface OperatorUpdate {
  /** Of a stored document. */
  readonly paths: readonly string[]
  readonly needsArrayPosition: boolean
  apply(
    doc: Doc,
    options: OperatorApply
  ): { readonly doc: Doc; readonly effects: readonly Effect[] }
}

export interface OperatorApply {
  readonly arrayPosition: number | undefined
  readonly isInsert: boolean
  /** Whether the document may be changed in place. */
  readonly isOwn: boolean
}

export interface OperatorOptions extends ModifierOptions {
  readonly arrayFilters: readonly Doc[]
}

const MODIFIERS: ReadonlyMap<string, ModifierParser> = new Map(
  [FIELD_MODIFIERS, NUMBER_MODIFIERS, ARRAY_MODIFIERS].flatMap((group) => Object.entries(group))
)

/** Fails with FailedToParse (9), ConflictingUpdateOperators (40) and the codes of the operators. */
export function parseOperatorUpdate(update: Doc, options: OperatorOptions): OperatorUpdate {
  const modifications: Modification[] = []
  const renames: Rename[] = []
  for (const [operator, fields] of update) {
    checkOperator(operator, fields)
    for (const [path, argument] of fields as Doc) {
      if (operator === '$rename') renames.push(parseRename(path, argument))
      else modifications.push(parseModification(operator, path, argument, options))
    }
  }
  sortByPath(modifications, ({ path }) => path)
  const renamed = renames.flatMap(({ from, to }) => [from, to])
  const paths = [...modifications.map(({ path }) => path), ...renamed]
  sortByPath(paths, (path) => path)
  checkConflicts(paths)
  // Most paths speak of no array: then there is nothing to look for in their pieces.
  const positional = paths.filter(({ plain }) => plain === undefined)
  const arrayFilters = parseArrayFilters(options.arrayFilters, identifiers(positional), options)
  return {
    paths: [...modifications.flatMap(changedPath), ...renamed.map(({ indexed }) => indexed)],
    needsArrayPosition: positional.some(({ pieces }) =>
      pieces.some(({ kind }) => kind === 'matched')
    ),
    apply: (doc, apply) => applyAll(doc, modifications, renames, arrayFilters, options, apply)
  }
}

/** What a modification can change of a stored document. */
const changedPath = ({ path, modifier }: Modification): string | readonly string[] =>
  modifier.onInsertOnly === true ? [] : path.indexed

function checkOperator(operator: string, fields: Value): void {
  if (operator !== '$rename' && !MODIFIERS.has(operator)) {
    throw commandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`
    )
  }
  if (!isDoc(fields)) {
    throw commandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${shown(fields)}}`
    )
  }
}

function parseModification(
  operator: string,
  path: string,
  argument: Value,
  options: OperatorOptions
): Modification {
  const parser = MODIFIERS.get(operator) as ModifierParser
  return { path: parseUpdatePath(path), modifier: parser(argument, path, options) }
}

function identifiers(paths: readonly UpdatePath[]): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap(({ text, pieces }) =>
      pieces.flatMap((piece) => (piece.kind === 'filtered' ? [[piece.name, text] as const] : []))
    )
  )
}

/** Sorts in place; most lists are in order as they come. */
function sortByPath<T>(list: T[], pathOf: (one: T) => UpdatePath): void {
  const compare = (a: T, b: T): number => comparePaths(pathOf(a).names, pathOf(b).names)
  if (list.some((one, at) => at > 0 && compare(list[at - 1] as T, one) > 0)) list.sort(compare)
}

/** No path may be another's or lead below it; they are sorted. */
function checkConflicts(paths: readonly UpdatePath[]): void {
  for (let i = 1; i < paths.length; i++) {
    const first = (paths[i - 1] as UpdatePath).names
    const second = (paths[i] as UpdatePath).names
    if (covers(first, second)) throw conflict(second, first)
  }
}

function conflict(path: readonly string[], other: readonly string[]): Error {
  return commandError(
    'ConflictingUpdateOperators',
    `Updating the path '${path.join('.')}' would create a conflict at '${other.join('.')}'`
  )
}

function applyAll(
  doc: Doc,
  modifications: readonly Modification[],
  renames: readonly Rename[],
  arrayFilters: ArrayFilters,
  { collation, now }: OperatorOptions,
  { arrayPosition, isInsert, isOwn }: OperatorApply
): { readonly doc: Doc; readonly effects: readonly Effect[] } {
  const owned: Owned = new Set(isOwn ? [doc] : [])
  const effects: Effect[] = []
  // Only paths with array positions can meet where their texts did not.
  const mayMeet = modifications.some(({ path }) => path.plain === undefined)
  const touched: (readonly string[])[] = []
  const idOf = () => shown(doc.get('_id'))
  let current = doc
  const change = (path: readonly string[], modifier: Modifier): void => {
    const context: ModifierContext = { now, collation, path, idOf }
    const changed = changeDoc(current, path, modifier, context, owned)
    current = changed.doc
    if (changed.effect) effects.push(changed.effect)
  }
  for (const { path, modifier } of modifications) {
    if (modifier.onInsertOnly && !isInsert) continue
    for (const concrete of expandPath(current, path, { arrayPosition, arrayFilters })) {
      if (mayMeet) checkTouched(touched, concrete)
      change(concrete, modifier)
    }
  }
  for (const rename of renames) renameField(current, rename, idOf, change)
  return { doc: current, effects }
}

function checkTouched(touched: (readonly string[])[], path: readonly string[]): void {
  const other = touched.find((done) => covers(done, path) || covers(path, done))
  if (other) throw conflict(path, other)
  touched.push(path)
}
