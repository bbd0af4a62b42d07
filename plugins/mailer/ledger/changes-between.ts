// What differs between two states of a document: each field, and long texts by their lines. Pure.
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@keelson/sdk'
import { comparedLines, hunksOf } from './diff-lines.ts'

const count = Type.Integer()

/** A run of changed lines with the lines around it; each line begins with a space, `-` or `+`. */
const hunkSchema = Type.Object({
  oldStart: count,
  oldLines: count,
  newStart: count,
  newLines: count,
  lines: Type.Array(Type.String())
})

/** A field that differs. */
export const fieldChangeSchema = Type.Object({
  /** As `subject` or `body.mjml`. */
  field: Type.String(),
  /** Of a short value; left out where the field was missing. */
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
  /** Of a text of several lines, or of a structure, which is shown as JSON. */
  hunks: Type.Optional(Type.Array(hunkSchema)),
  /** The states differ in more lines than are compared. */
  isTooLarge: Type.Optional(Type.Boolean())
})

/** A field that differs. */
export type FieldChange = Static<typeof fieldChangeSchema>

type Fields = Readonly<Record<string, unknown>>

/** Changes in the order of the fields; missing and undefined are the same. */
export function changesBetween(before: object, after: object): readonly FieldChange[] {
  const [from, to] = [before as Fields, after as Fields]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names
    .filter((name) => !isDeepStrictEqual(from[name], to[name]))
    .map((field) => ({ field, ...changeOf(from[field], to[field]) }))
}

function changeOf(before: unknown, after: unknown): Omit<FieldChange, 'field'> {
  if (!hasLines(before) && !hasLines(after))
    return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
  const lines = comparedLines(linesOf(before), linesOf(after))
  return lines === undefined ? { isTooLarge: true } : { hunks: hunksOf(lines) }
}

const hasLines = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\n') : typeof value === 'object' && value !== null

function linesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.replace(/\n$/, '').split('\n')
}
