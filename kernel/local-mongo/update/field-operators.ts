// $set, $setOnInsert, $unset, $currentDate and $rename: what they make of fields.
import { Timestamp } from 'bson'
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { ABSENT, KEEP, type Modifier, type ModifyContext, modifyPath, REMOVE } from './modify.ts'
import { parsePath, type UpdatePath } from './path.ts'
import { isSame } from './same.ts'
import { shown } from './shown.ts'

/** `$set` and `$setOnInsert` */
export function setTo(argument: Value): Modifier {
  return (current) => (current !== ABSENT && isSame(current, argument) ? KEEP : argument)
}

/** `$unset` */
export function unset(): Modifier {
  return () => REMOVE
}

/** `$currentDate`: `true`, or `{ $type: 'date' | 'timestamp' }`. */
export function currentDate(argument: Value, now: Date): Modifier {
  const type = dateType(argument)
  if (type === 'date') return () => new Date(now)
  const seconds = Math.floor(now.getTime() / 1000)
  return () => new Timestamp({ t: seconds, i: 1 })
}

function dateType(argument: Value): 'date' | 'timestamp' {
  if (typeof argument === 'boolean') return 'date'
  if (!isDoc(argument)) {
    throw commandError(
      'BadValue',
      `${typeName(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`
    )
  }
  for (const name of argument.keys()) {
    if (name !== '$type')
      throw commandError('BadValue', `Unrecognized $currentDate option: ${name}`)
  }
  const type = argument.get('$type')
  if (type === 'date' || type === 'timestamp') return type
  throw commandError(
    'BadValue',
    "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}"
  )
}

export interface Rename {
  readonly from: UpdatePath
  readonly to: UpdatePath
  run(doc: Doc, context: ModifyContext): Doc
}

/** `$rename` */
export function rename(from: UpdatePath, argument: Value): Rename {
  const to = renameTarget(from, argument)
  return {
    from,
    to,
    run(doc, context) {
      const value = sourceValue(doc, from)
      if (value === ABSENT) return doc
      refuseArrays(doc, to, 'destination')
      const without = modifyPath(doc, { path: from, modify: unset(), creates: false }, context)
      return modifyPath(without, { path: to, modify: setTo(value), creates: true }, context)
    }
  }
}

function renameTarget(from: UpdatePath, argument: Value): UpdatePath {
  if (typeof argument !== 'string') {
    throw commandError(
      'BadValue',
      `The 'to' field for $rename must be a string: ${from.text}: ${shown(argument)}`
    )
  }
  const to = parsePath(argument)
  if (from.text === to.text) {
    throw commandError(
      'BadValue',
      `The source and target field for $rename must differ: ${from.text}: "${to.text}"`
    )
  }
  for (const { parts, text } of [from, to]) {
    if (parts.some((part) => part.kind !== 'name')) {
      throw commandError(
        'BadValue',
        `The ${text === from.text ? 'source' : 'destination'} field for $rename may not be dynamic: ${text}`
      )
    }
  }
  return to
}

function sourceValue(doc: Doc, path: UpdatePath): Value | typeof ABSENT {
  refuseArrays(doc, path, 'source')
  let value: Value | typeof ABSENT = doc
  for (const part of path.parts) {
    if (part.kind !== 'name' || value === ABSENT || !isDoc(value)) return ABSENT
    value = value.has(part.name) ? (value.get(part.name) as Value) : ABSENT
  }
  return value
}

function refuseArrays(doc: Doc, path: UpdatePath, which: 'source' | 'destination'): void {
  let value: Value = doc
  for (const [depth, part] of path.parts.entries()) {
    if (part.kind !== 'name' || !isDoc(value)) return
    value = value.get(part.name)
    if (Array.isArray(value) && depth < path.parts.length - 1) {
      throw commandError(
        'BadValue',
        `The ${which} field cannot be an array element, '${path.text}' has an array field called '${part.name}'`
      )
    }
  }
}
