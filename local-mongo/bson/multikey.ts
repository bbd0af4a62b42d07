// How arrays on the paths of an index spread a document over several keys, by MongoDB's rules.
import { type CommandError, commandError } from '../errors.ts'
import { fieldOf, type RawPath, type RawValue, rawElements, walkToArray } from './raw.ts'
import { TYPE } from './value.ts'

/** One key's value for each path; undefined where there is none. */
export type FieldValues = readonly (RawValue | undefined)[]

export interface ExpandedKeys {
  readonly rows: readonly FieldValues[]
  /** For each path, whether an array stood on it. */
  readonly arrays: readonly boolean[]
}

/** What a path such as `a.1.b` reaches when it names a place in the array that is being spread. */
interface Positional {
  readonly element: RawValue
  readonly found: { readonly value: RawValue; readonly next: number } | undefined
}

/** The state of one path while its document is being spread. */
interface Field {
  readonly path: RawPath
  /** How many of its pieces are used up; `DONE` when `value` is final. */
  readonly next: number
  readonly value: RawValue | undefined
  readonly positional: Positional | undefined
}

interface Spread {
  readonly rows: FieldValues[]
  readonly arrays: boolean[]
  readonly onParallelArrays: (first: string, second: string) => CommandError
}

/** The step of one path into a document: where it stopped. */
interface Step {
  readonly field: Field
  readonly array: RawValue | undefined
  /** True when the array was itself an element named by its place; it is then kept whole. */
  readonly isNested: boolean
}

const DONE = Number.POSITIVE_INFINITY
const NO_BYTES = new Uint8Array(0)
const UNDEFINED: RawValue = { bytes: NO_BYTES, type: TYPE.undefined, start: 0, end: 0 }

/** All rows of values that the paths have in a document. */
export function expandKeys(
  bytes: Uint8Array,
  paths: readonly RawPath[],
  onParallelArrays: (first: string, second: string) => CommandError
): ExpandedKeys {
  const spread: Spread = { rows: [], arrays: paths.map(() => false), onParallelArrays }
  const fields = paths.map((path) => ({ path, next: 0, value: undefined, positional: undefined }))
  spreadDoc(spread, fields, { bytes, start: 0 })
  return spread
}

function spreadDoc(
  spread: Spread,
  fields: readonly Field[],
  doc: { readonly bytes: Uint8Array; readonly start: number } | undefined
): void {
  const steps = fields.map((field) => stepInto(field, doc))
  const array = sharedArray(spread, steps)
  if (array === undefined) {
    spread.rows.push(steps.map(({ field }) => field.value))
    return
  }
  const keepWhole = steps.some(({ isNested }) => isNested)
  const elements = [...rawElements(array.bytes, array.start)]
  if (elements.length === 0) spreadElement(spread, steps, UNDEFINED, undefined)
  for (const element of elements) {
    spreadElement(spread, steps, element, keepWhole ? array : undefined)
  }
}

/** The one array that is spread now. Arrays at two places would need every pair: refused. */
function sharedArray(spread: Spread, steps: readonly Step[]): RawValue | undefined {
  let shared: Step | undefined
  for (const [index, step] of steps.entries()) {
    if (step.array === undefined) continue
    spread.arrays[index] = true
    shared ??= step
    if (shared.array?.start !== step.array.start) {
      throw spread.onParallelArrays(lastName(shared.field), lastName(step.field))
    }
  }
  return shared?.array
}

function lastName({ path, next }: Field): string {
  return path.pieces[Math.min(next, path.pieces.length) - 1] ?? path.text
}

function spreadElement(
  spread: Spread,
  steps: readonly Step[],
  element: RawValue,
  whole: RawValue | undefined
): void {
  const fields = steps.map(({ field, array }): Field => {
    if (array === undefined) return field
    if (field.next < field.path.pieces.length) return withPositional(field, array)
    return { ...field, next: DONE, value: whole ?? element, positional: undefined }
  })
  spreadDoc(spread, fields, element.type === TYPE.object ? element : undefined)
}

/** For `a.1.b`, looks element 1 of the array up once, for all its elements. */
function withPositional(field: Field, array: RawValue): Field {
  const element = fieldOf(array.bytes, array.start, field.path.names[field.next] as Uint8Array)
  if (element === undefined) return field
  const found = walkToArray(array.bytes, array.start, field.path, field.next)
  return { ...field, positional: { element, found } }
}

function stepInto(
  field: Field,
  doc: { readonly bytes: Uint8Array; readonly start: number } | undefined
): Step {
  if (field.next === DONE) return { field, array: undefined, isNested: false }
  const name = field.path.names[field.next] as Uint8Array
  const hasField = doc !== undefined && fieldOf(doc.bytes, doc.start, name) !== undefined
  if (hasField && field.positional) throw ambiguous(field)
  const found = hasField
    ? walkToArray(doc.bytes, doc.start, field.path, field.next)
    : field.positional?.found
  return placed(field, found)
}

function placed(field: Field, found: Positional['found']): Step {
  if (found === undefined) {
    const none: Field = { path: field.path, next: DONE, value: undefined, positional: undefined }
    return { field: none, array: undefined, isNested: false }
  }
  const isArray = found.value.type === TYPE.array
  const next = isArray ? found.next : DONE
  const placedField: Field = { path: field.path, next, value: found.value, positional: undefined }
  return {
    field: placedField,
    array: isArray ? found.value : undefined,
    isNested: field.positional?.element.type === TYPE.array
  }
}

function ambiguous(field: Field): CommandError {
  const name = field.path.pieces[field.next]
  return commandError(
    'Location16746',
    `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${name}'`
  )
}
