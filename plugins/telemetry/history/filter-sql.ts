// A filter of rows as a condition of SQL: what the read primitives ask of documents, asked of columns. Pure.
import { Binary, type Document } from 'mongodb'
import { attrPatternOf } from '../search/search-filter.ts'
import { idHex } from './columns.ts'
import { type Expression, NotInColumns, type Statement } from './statement.ts'

/** True, false or NULL for a row, as `WHERE` takes it. @throws NotInColumns */
export function conditionOf(filter: Document, statement: Statement): string {
  const terms = Object.entries(filter).map(([key, test]) => {
    if (key === '$and') return joined(test as Document[], 'AND', statement)
    if (key === '$or') return joined(test as Document[], 'OR', statement)
    if (key === '$nor') {
      return `NOT coalesce(${joined(test as Document[], 'OR', statement)}, FALSE)`
    }
    if (key === '$expr') return attrMatches(test as Document, statement)
    return termOf(statement.field(key), test, statement)
  })
  return terms.length === 0 ? 'TRUE' : terms.map((term) => `(${term})`).join(' AND ')
}

const joined = (filters: readonly Document[], word: 'AND' | 'OR', statement: Statement): string =>
  filters.map((one) => `(${conditionOf(one, statement)})`).join(` ${word} `)

/** Whether any value of the attributes matches a pattern. */
function attrMatches(expression: Document, statement: Statement): string {
  const pattern = attrPatternOf(expression)
  if (pattern === undefined) throw new NotInColumns('such an expression')
  const { sql } = statement.field('attrs')
  return `len(list_filter(map_values(${sql}), lambda value: regexp_matches(value, ${statement.text(pattern)}))) > 0`
}

function termOf(field: Expression, test: unknown, statement: Statement): string {
  if (!isOperators(test)) return equal(field, test, statement)
  const terms = Object.entries(test).map(([operator, value]) =>
    operatorOf(field, operator, value, statement)
  )
  return terms.map((term) => `(${term})`).join(' AND ')
}

const isOperators = (test: unknown): test is Document =>
  typeof test === 'object' &&
  test !== null &&
  Object.getPrototypeOf(test) === Object.prototype &&
  Object.keys(test).every((key) => key.startsWith('$'))

const COMPARED: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

function operatorOf(
  field: Expression,
  operator: string,
  value: unknown,
  statement: Statement
): string {
  const sign = COMPARED[operator]
  if (sign !== undefined) return compared(field, sign, value, statement)
  switch (operator) {
    case '$exists':
      return `${field.sql} IS ${value === true ? 'NOT NULL' : 'NULL'}`
    case '$regex':
      if (field.type !== 'text') throw new NotInColumns('a pattern of no text')
      return `regexp_matches(${field.sql}, ${statement.text(String(value))})`
    case '$in':
      return anyOf(field, value as unknown[], statement)
    case '$nin':
      return `NOT coalesce(${anyOf(field, value as unknown[], statement)}, FALSE)`
    default:
      throw new NotInColumns(`the operator ${operator}`)
  }
}

/** The value as a parameter of the column's type; undefined when no value of the column equals it. */
function parameterOf(
  { type }: Expression,
  value: unknown,
  statement: Statement
): string | undefined {
  if (typeof value === 'string' && (type === 'text' || type === 'texts'))
    return statement.text(value)
  if (typeof value === 'number' && type === 'number') return statement.number(value)
  if (value instanceof Date && type === 'date') return statement.whole(value.getTime())
  if (typeof value === 'boolean' && type === 'flag') return statement.flag(value)
  if (value instanceof Binary && type === 'id') return statement.bytes(idHex(value))
  return undefined
}

function equal(field: Expression, value: unknown, statement: Statement): string {
  const right = parameterOf(field, value, statement)
  if (right === undefined) return 'FALSE'
  return field.type === 'texts'
    ? `list_contains(${field.sql}, ${right})`
    : `${field.sql} = ${right}`
}

const anyOf = (field: Expression, values: readonly unknown[], statement: Statement): string =>
  values.length === 0
    ? 'FALSE'
    : field.type === 'texts' && values.every((value) => typeof value === 'string')
      ? `list_has_any(${field.sql}, [${values.map((value) => statement.text(value)).join(', ')}])`
      : values.map((value) => `(${equal(field, value, statement)})`).join(' OR ')

/** Ids compare as the database orders them: by length, then form and bytes. */
function compared(field: Expression, sign: string, value: unknown, statement: Statement): string {
  if (field.type === 'texts') throw new NotInColumns('an order of lists')
  const right = parameterOf(field, value, statement)
  if (right === undefined) return 'FALSE'
  if (field.type !== 'id') return `${field.sql} ${sign} ${right}`
  const length = `octet_length(${field.sql})`
  const strict = sign.slice(0, 1)
  return `${length} ${strict} octet_length(${right}) OR (${length} = octet_length(${right}) AND ${field.sql} ${sign} ${right})`
}
