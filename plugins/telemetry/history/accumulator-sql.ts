// What a group adds up, in SQL. Pure.
import type { Document } from 'mongodb'
import { expressionOf, isOperator } from './expression-sql.ts'
import { numberOutput, type Output, outputOf, plainOutput } from './output.ts'
import { wireOrder } from './row-order.ts'
import { type Expression, NotInColumns, type Statement } from './statement.ts'

const NEWEST = { occurredAt: -1, _id: -1 }
const OLDEST = { occurredAt: 1, _id: 1 }

/** `oldest`: a clause that leaves few rows, of which one is the oldest. @throws NotInColumns */
export function accumulated(accumulator: Document, statement: Statement, oldest = ''): Output {
  const [[operator, operand] = ['', undefined]] = Object.entries(accumulator)
  if (operator === '$sum') return sumOf(operand, statement)
  if (operator === '$min' && orElseOf(operand) !== undefined) return leastOf(operand, statement)
  const expression = expressionOf(operand, statement)
  const { sql } = expression
  switch (operator) {
    case '$min':
    case '$max':
      return outputOf({ ...expression, sql: `${operator.slice(1)}(${sql})` })
    case '$first':
      return outputOf({ ...expression, sql: `first(${sql} ORDER BY ${wireOrder(NEWEST)})` })
    case '$last':
      return outputOf({
        ...expression,
        sql: `first(${sql} ORDER BY ${wireOrder(OLDEST)})${oldest}`
      })
    case '$push':
      return listOf(expression, '')
    case '$addToSet':
      return listOf(expression, 'DISTINCT ')
    default:
      throw new NotInColumns(`the accumulator ${operator}`)
  }
}

/** How many values `$addToSet` would have. */
export function countOfSet(accumulator: Document, statement: Statement): Output {
  if (!('$addToSet' in accumulator)) throw new NotInColumns('the size of such a list')
  const { sql } = expressionOf(accumulator['$addToSet'], statement)
  return numberOutput(`count(DISTINCT ${sql})`)
}

/** Texts and numbers; times as numbers. */
function listOf({ sql, type }: Expression, distinct: string): Output {
  if (type !== 'text' && type !== 'number' && type !== 'date') {
    throw new NotInColumns('a list of such values')
  }
  const value = type === 'date' ? `${sql}::DOUBLE` : sql
  return plainOutput(`coalesce(list(${distinct}${value}) FILTER (${sql} IS NOT NULL), [])`)
}

function sumOf(operand: unknown, statement: Statement): Output {
  if (operand === 1) return numberOutput('count(*)')
  const quotient = isOperator(operand) ? operand['$divide'] : undefined
  if (Array.isArray(quotient)) {
    const [above, below] = quotient
    const orElse = orElseOf(below)
    if (typeof above === 'number' && orElse !== undefined) {
      return sumOfQuotients(above, orElse, statement)
    }
  }
  const counted = countedOf(operand)
  if (counted !== undefined) {
    const { sql } = expressionOf(counted.test, statement)
    return numberOutput(`count(*) FILTER (${sql}) * ${statement.number(counted.each)}`)
  }
  const { sql, type } = expressionOf(operand, statement)
  return type === 'decimal'
    ? plainOutput(`coalesce(sum(${sql}), 0)::VARCHAR`)
    : numberOutput(`coalesce(fsum(${sql}), 0)`)
}

interface Counted {
  readonly test: unknown
  readonly each: number
}

/** A test, and what each row that passes it adds, where the others add nothing. */
function countedOf(operand: unknown): Counted | undefined {
  const parts = isOperator(operand) ? operand['$cond'] : undefined
  if (!Array.isArray(parts) || typeof parts[1] !== 'number' || parts[2] !== 0) return undefined
  return { test: parts[0], each: parts[1] }
}

interface OrElse {
  readonly value: unknown
  readonly other: number
}

/** A value, or a number where there is none. */
function orElseOf(operand: unknown): OrElse | undefined {
  const parts = isOperator(operand) ? operand['$ifNull'] : undefined
  if (!Array.isArray(parts) || typeof parts[1] !== 'number') return undefined
  return { value: parts[0], other: parts[1] }
}

/** Most rows have no value: they are counted, not divided. */
function sumOfQuotients(above: number, { value, other }: OrElse, statement: Statement): Output {
  const { sql } = expressionOf(value, statement)
  const [dividend, single] = [statement.number(above), statement.number(above / other)]
  return numberOutput(
    `(count(*) - count(${sql})) * ${single} + coalesce(fsum(${dividend} / ${sql}), 0)`
  )
}

function leastOf(operand: unknown, statement: Statement): Output {
  const { value, other } = orElseOf(operand) as OrElse
  const { sql } = expressionOf(value, statement)
  return numberOutput(
    `CASE WHEN count(${sql}) = count(*) THEN min(${sql}) ELSE least(min(${sql}), ${statement.number(other)}) END`
  )
}
