// A pipeline of the read primitives as one SELECT, and how its answer is read back. Pure.

import { momentAt } from '@keelson/sdk/zoned-time'
import type { Document } from 'mongodb'
import { idOfHex } from './columns.ts'
import type { Cell } from './engine.ts'
import { conditionOf } from './filter-sql.ts'
import { wireOrder } from './row-order.ts'
import {
  type Expression,
  type MapValue,
  NotInColumns,
  type SqlValue,
  Statement
} from './statement.ts'

/** A value of an answer, from its JSON. */
type Decode = (value: unknown) => unknown

export interface Selection {
  /** Reads from the relation `rows`; each row is one text of JSON, and then its lists. */
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly mapValues: readonly MapValue[]
  /** What it looks at of a row. */
  readonly fields: Readonly<Record<string, 1>>
  /** A document as the database would answer it. */
  readonly decode: (cells: readonly Cell[]) => unknown
}

interface Output {
  readonly path: readonly [string] | readonly ['_id', string]
  readonly sql: string
  readonly decode: Decode
  /** Long lists are columns of their own: as JSON they would be read twice. */
  readonly isList?: boolean
}

/**
 * Takes what the read primitives are made of: `$match`, then the newest rows up to a limit, then one `$group` with its
 * order and limit.
 *
 * @throws NotInColumns for anything else
 */
export function selectionOf(pipeline: readonly Document[], cut?: Cut): Selection {
  const statement = new Statement()
  const at = groupAt(pipeline)
  const picked = pickedOf(pipeline.slice(0, at), statement, cut)
  const { _id, ...fields } = (pipeline[at] as { $group: Document }).$group
  const keys = keysOf(_id, statement)
  const sums = Object.entries(fields).map(([name, accumulator]) => ({
    path: [name] as const,
    ...accumulated(accumulator as Document, statement)
  }))
  const outputs: readonly Output[] = [...keys, ...sums]
  const list = outputs.map(({ sql }, index) => `${sql} AS c${index}`).join(', ')
  const by =
    keys.length === 0
      ? 'HAVING count(*) > 0'
      : `GROUP BY ${keys.map((_key, index) => index + 1).join(', ')}`
  const tail = tailOf(pipeline.slice(at + 1))
  return {
    sql: `SELECT ${cellsOf(outputs)} FROM (SELECT ${list} FROM (${picked}) ${by} ${tail})`,
    values: statement.values,
    mapValues: statement.mapValues,
    fields: Object.fromEntries([...statement.fields, 'occurredAt'].map((field) => [field, 1])),
    decode: ([json, ...lists]) => {
      const cells = JSON.parse(String(json)) as Record<string, unknown>
      listsOf(outputs).forEach((name, index) => {
        cells[name] = lists[index]
      })
      return documentOf(cells, outputs, _id === null)
    }
  }
}

/** The columns that are lists, in order. */
const listsOf = (outputs: readonly Output[]): readonly string[] =>
  outputs.flatMap(({ isList }, index) => (isList === true ? [`c${index}`] : []))

function cellsOf(outputs: readonly Output[]): string {
  const lists = listsOf(outputs)
  const others = outputs.flatMap((_output, index) =>
    lists.includes(`c${index}`) ? [] : [`c${index} := c${index}`]
  )
  const json = others.length === 0 ? "'{}'" : `to_json(struct_pack(${others.join(', ')}))::VARCHAR`
  return [json, ...lists].join(', ')
}

function documentOf(
  cells: Readonly<Record<string, unknown>>,
  outputs: readonly Output[],
  isAlone: boolean
): Document {
  const document: Document = isAlone ? { _id: null } : {}
  outputs.forEach(({ path: [first, second], decode }, index) => {
    const cell = cells[`c${index}`]
    const value = cell === null || cell === undefined ? undefined : decode(cell)
    if (second === undefined) document[first] = value ?? null
    else {
      const id: Document = document[first] ?? {}
      if (value !== undefined) id[second] = value
      document[first] = id
    }
  })
  return document
}

function groupAt(pipeline: readonly Document[]): number {
  const at = pipeline.findIndex((stage) => '$group' in stage)
  if (at < 0) throw new NotInColumns('a pipeline without $group')
  return at
}

/** Where the newest rows up to a limit end: few of them need to be sorted to tell. */
export interface Cut {
  /** Start of the hour in which the limit is reached, and how many of its rows are taken. */
  readonly hour: number
  readonly rest: number
}

/** How many rows that fit each hour has: the start of the hour and the count, as one text. */
export function hoursOf(
  pipeline: readonly Document[]
): Pick<Selection, 'sql' | 'values' | 'mapValues'> {
  const statement = new Statement()
  const { where } = readPicked(pipeline.slice(0, groupAt(pipeline)), statement)
  const hour = floored('"occurredAt"', UNIT_MS['hour'] as number)
  const sql = `SELECT ${hour} || ' ' || count(*) FROM rows WHERE ${where} GROUP BY ${hour}`
  return { sql, values: statement.values, mapValues: statement.mapValues }
}

/** The cut of a limit, by what `hoursOf` answers; undefined when there are not more rows. */
export function cutOf(hours: readonly string[], limit: number): Cut | undefined {
  const counts = hours.map((text) => text.split(' ').map(Number) as [number, number])
  let taken = 0
  for (const [hour, count] of counts.sort(([a], [b]) => b - a)) {
    if (taken + count > limit) return { hour, rest: limit - taken }
    taken += count
  }
  return undefined
}

interface Picked {
  readonly where: string
  readonly order: string
  readonly limit: number | undefined
}

/** The rows that are grouped. */
function readPicked(stages: readonly Document[], statement: Statement): Picked {
  const terms: string[] = []
  let order = ''
  let limit: number | undefined
  for (const stage of stages) {
    if (stage['$match'] !== undefined && order === '') {
      terms.push(`(${conditionOf(stage['$match'], statement)})`)
    } else if (stage['$sort'] !== undefined) order = ` ORDER BY ${wireOrder(stage['$sort'])}`
    else if (stage['$limit'] !== undefined) limit = wholeOf(stage['$limit'])
    else throw new NotInColumns(`the stage ${Object.keys(stage)[0]} at this place`)
  }
  return { where: terms.join(' AND ') || 'TRUE', order, limit }
}

function pickedOf(stages: readonly Document[], statement: Statement, cut: Cut | undefined): string {
  const { where, order, limit } = readPicked(stages, statement)
  const all = `SELECT * FROM rows WHERE ${where}`
  if (cut === undefined) return `${all}${order}${limit === undefined ? '' : ` LIMIT ${limit}`}`
  const next = cut.hour + (UNIT_MS['hour'] as number)
  const last = `${all} AND "occurredAt" >= ${cut.hour} AND "occurredAt" < ${next}${order} LIMIT ${cut.rest}`
  return `${all} AND "occurredAt" >= ${next} UNION ALL SELECT * FROM (${last})`
}

function wholeOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw new NotInColumns('such a limit')
  return value as number
}

function tailOf(stages: readonly Document[]): string {
  let order = ''
  let limit = ''
  for (const stage of stages) {
    const sign = stage['$sort']?._id
    if (sign === 1 || sign === -1) order = `ORDER BY c0 ${sign === 1 ? 'ASC' : 'DESC'} `
    else if (stage['$limit'] !== undefined) limit = `LIMIT ${wholeOf(stage['$limit'])}`
    else throw new NotInColumns(`the stage ${Object.keys(stage)[0]} after groups`)
  }
  return order + limit
}

function keysOf(id: unknown, statement: Statement): readonly Output[] {
  if (id === null) return []
  if (typeof id === 'string' || isOperator(id)) {
    return [{ path: ['_id'], ...keyOf(id, statement) }]
  }
  return Object.entries(id as Document).map(([name, expression]) => ({
    path: ['_id', name] as const,
    ...keyOf(expression, statement)
  }))
}

const isOperator = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$') === true

const same: Decode = (value) => value

function keyOf(expression: unknown, statement: Statement): Pick<Output, 'sql' | 'decode'> {
  if (isOperator(expression) && '$dateTrunc' in expression) {
    return bucketOf(expression['$dateTrunc'], statement)
  }
  const { sql } = expressionOf(expression, statement)
  return { sql, decode: same }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000
}
/** 1970-01-01 was a Thursday. */
const WEEK_SHIFT = 3 * 86_400_000
const UNITS: ReadonlySet<unknown> = new Set(['minute', 'hour', 'day', 'week', 'month'])

/** Its start as milliseconds; in a zone as its clocks show it, which the zone's own rules turn into a moment. */
function bucketOf(
  { date, unit, timezone }: Document,
  statement: Statement
): Pick<Output, 'sql' | 'decode'> {
  if (date !== '$occurredAt' || !UNITS.has(unit)) throw new NotInColumns('such a bucket')
  const at = '"occurredAt"'
  const length = UNIT_MS[unit]
  if (timezone !== undefined) {
    const wall = `timezone(${statement.text(timezone)}, make_timestamp_ms(${at})::TIMESTAMPTZ)`
    return {
      sql: `epoch_ms(date_trunc('${unit}', ${wall}))`,
      decode: (value) => new Date(momentAt(value as number, timezone))
    }
  }
  const decode: Decode = (value) => new Date(value as number)
  if (length !== undefined) return { sql: floored(at, length), decode }
  if (unit === 'week') {
    return { sql: `${floored(`(${at} + ${WEEK_SHIFT})`, 7 * 86_400_000)} - ${WEEK_SHIFT}`, decode }
  }
  return { sql: `epoch_ms(date_trunc('month', make_timestamp_ms(${at})))`, decode }
}

/** Times before 1970 too. */
const floored = (sql: string, length: number): string =>
  `(${sql} - ((${sql} % ${length}) + ${length}) % ${length})`

function accumulated(
  accumulator: Document,
  statement: Statement
): Pick<Output, 'sql' | 'decode' | 'isList'> {
  const [[operator, operand] = ['', undefined]] = Object.entries(accumulator)
  const isCount = operator === '$sum' && operand === 1
  if (isCount) return { sql: 'count(*)', decode: same }
  if (
    operator === '$max' &&
    typeof operand === 'object' &&
    operand !== null &&
    !isOperator(operand)
  )
    return greatestOf(operand as Document, statement)
  const { sql, type } = expressionOf(operand, statement)
  switch (operator) {
    case '$sum':
      return type === 'decimal'
        ? { sql: `coalesce(sum(${sql}), 0)::VARCHAR`, decode: same }
        : { sql: `coalesce(fsum(${sql}), 0)`, decode: same }
    case '$min':
    case '$max':
      return { sql: `${operator.slice(1)}(${sql})`, decode: decoderOf(type) }
    case '$first':
      return { sql: `first(${sql} ORDER BY ${wireOrder(NEWEST)})`, decode: decoderOf(type) }
    case '$last':
      return { sql: `first(${sql} ORDER BY ${wireOrder(OLDEST)})`, decode: decoderOf(type) }
    case '$push':
      return { sql: listOf(sql), decode: same, isList: isPlain(type) }
    case '$addToSet':
      return { sql: listOf(`DISTINCT ${sql}`, sql), decode: same, isList: isPlain(type) }
    default:
      throw new NotInColumns(`the accumulator ${operator}`)
  }
}

const NEWEST = { occurredAt: -1, _id: -1 }
const OLDEST = { occurredAt: 1, _id: 1 }

const isPlain = (type: Expression['type']): boolean => type === 'text' || type === 'number'

const listOf = (sql: string, value = sql): string =>
  `coalesce(list(${sql}) FILTER (${value} IS NOT NULL), [])`

const decoderOf = (type: Expression['type']): Decode =>
  type === 'date' ? (value) => new Date(value as number) : same

/** Documents compare by their fields in order; ids as the database orders them. */
function greatestOf(fields: Document, statement: Statement): Pick<Output, 'sql' | 'decode'> {
  const named = Object.entries(fields).map(([name, operand]) => ({
    name,
    ...expressionOf(operand, statement)
  }))
  const parts = named.flatMap(({ sql, type }, index) =>
    type === 'id'
      ? [`l${index} := octet_length(${sql})`, `f${index} := hex(${sql})`]
      : [`f${index} := ${sql}`]
  )
  return {
    sql: `max(struct_pack(${parts.join(', ')}))`,
    decode: (value) => {
      const cells = value as Readonly<Record<string, unknown>>
      const entries = named.map(({ name, type }, index) => {
        const cell = cells[`f${index}`]
        return [name, type === 'id' ? idOfHex(String(cell)) : cell] as const
      })
      return Object.fromEntries(entries.filter(([, cell]) => cell !== null))
    }
  }
}

/** @throws NotInColumns */
function expressionOf(expression: unknown, statement: Statement): Expression {
  if (typeof expression === 'number') return { sql: statement.number(expression), type: 'number' }
  if (typeof expression === 'string' && expression.startsWith('$')) {
    const { sql, type } = statement.field(expression.slice(1))
    return type === 'decimal' ? { sql: `${sql}::DECIMAL(38, 12)`, type } : { sql, type }
  }
  if (!isOperator(expression)) throw new NotInColumns('such an expression')
  const [[operator, operands] = ['', undefined]] = Object.entries(expression)
  const build = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  if (build === undefined) throw new NotInColumns(`the expression ${operator}`)
  return build(operands, statement)
}

// biome-ignore lint/suspicious/noExplicitAny: each operator has operands of its own, which its builder checks by using them
type Build = (operands: any, statement: Statement) => Expression

const truth = (sql: string): Expression => ({ sql: `coalesce(${sql}, FALSE)`, type: 'flag' })
const isTrue = (operand: unknown, statement: Statement) =>
  `coalesce(${expressionOf(operand, statement).sql}, FALSE)`

const OPERATORS: Readonly<Record<string, Build>> = {
  $ifNull: ([value, other]: [unknown, unknown], statement) => {
    const { sql, type } = expressionOf(value, statement)
    return { sql: `coalesce(${sql}, ${expressionOf(other, statement).sql})`, type }
  },
  $divide: ([above, below]: [unknown, unknown], statement) => ({
    sql: `(${expressionOf(above, statement).sql} / ${expressionOf(below, statement).sql})`,
    type: 'number'
  }),
  $cond: ([test, yes, no]: [unknown, unknown, unknown], statement) => {
    const condition = isTrue(test, statement)
    const then = expressionOf(yes, statement)
    const other = expressionOf(no, statement)
    const type = then.type === 'decimal' || other.type === 'decimal' ? 'decimal' : then.type
    const cast = (sql: string) => (type === 'decimal' ? `${sql}::DECIMAL(38, 12)` : sql)
    return {
      sql: `CASE WHEN ${condition} THEN ${cast(then.sql)} ELSE ${cast(other.sql)} END`,
      type
    }
  },
  $in: ([value, list]: [unknown, readonly string[]], statement) => {
    const { sql } = expressionOf(value, statement)
    return truth(`${sql} IN (${list.map((one) => statement.text(one)).join(', ')})`)
  },
  $eq: ([value, other]: [unknown, boolean], statement) =>
    truth(`${expressionOf(value, statement).sql} = ${statement.flag(other)}`),
  // Of `null` alone: whether there is a value.
  $gt: ([value, other]: [unknown, null], statement) => {
    if (other !== null) throw new NotInColumns('such a comparison')
    return { sql: `${expressionOf(value, statement).sql} IS NOT NULL`, type: 'flag' }
  },
  $not: ([value]: [unknown], statement) => ({
    sql: `NOT ${isTrue(value, statement)}`,
    type: 'flag'
  }),
  $and: (values: readonly unknown[], statement) => ({
    sql: values.map((value) => isTrue(value, statement)).join(' AND '),
    type: 'flag'
  }),
  $first: (list: unknown, statement) => {
    const { sql, type } = expressionOf(list, statement)
    if (type !== 'texts') throw new NotInColumns('the first of no list')
    return { sql: `${sql}[1]`, type: 'text' }
  },
  $concat: (parts: readonly unknown[], statement) => ({
    sql: parts
      .map((part) =>
        typeof part === 'string' && !part.startsWith('$')
          ? statement.text(part)
          : expressionOf(part, statement).sql
      )
      .join(' || '),
    type: 'text'
  })
}
