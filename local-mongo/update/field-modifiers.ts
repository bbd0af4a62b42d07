// Modifiers of whole fields: $set, $setOnInsert, $unset and $currentDate.
import { Timestamp } from 'bson'
import { isDoc, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING } from '../expressions/expression.ts'
import type { Modifier, ModifierParser } from './modifier.ts'

const set = (value: Value): Modifier => ({ creates: true, change: () => value })

const parseCurrentDate: ModifierParser = (argument, _path, { now }) => {
  if (typeof argument === 'boolean') return set(now)
  if (!isDoc(argument)) {
    throw commandError(
      'BadValue',
      `${typeName(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`
    )
  }
  const unknown = [...argument.keys()].find((name) => name !== '$type')
  if (unknown !== undefined)
    throw commandError('BadValue', `Unrecognized $currentDate option: ${unknown}`)
  const type = argument.get('$type')
  if (type === 'date') return set(now)
  if (type === 'timestamp') return set(new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }))
  throw commandError(
    'BadValue',
    "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}"
  )
}

export const FIELD_MODIFIERS: Readonly<Record<string, ModifierParser>> = {
  $set: set,
  $setOnInsert: (value) => ({ ...set(value), onInsertOnly: true }),
  $unset: () => ({ creates: false, change: () => MISSING }),
  $currentDate: parseCurrentDate
}
