// An expression of a pipeline in SQL: what the read primitives compute of one row. Pure.
import type { Document } from 'mongodb'
import { type Expression, NotInColumns, type Statement } from './statement.ts'

export const isOperator = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$') === true

/** @throws NotInColumns */
export function expressionOf(expression: unknown, statement: Statement): Expression {
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
