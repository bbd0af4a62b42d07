// A pipeline of the read primitives as one SELECT, and how its answer is read back. Pure.
import type { Document } from 'mongodb'
import { accumulated, countOfSet } from './accumulator-sql.ts'
import { bucketOf, HOUR_OF_ROW, TIME_OF_ROW } from './bucket-sql.ts'
import type { Cell } from './cells.ts'
import { expressionOf, isOperator } from './expression-sql.ts'
import { conditionOf } from './filter-sql.ts'
import { type TimeBounds, timesOf } from './filter-times.ts'
import { type Greatest, greatestOf } from './greatest-sql.ts'
import type { Cut } from './newest-rows.ts'
import { type Output, outputOf } from './output.ts'
import { wireOrder } from './row-order.ts'
import { type Given, NotInColumns, Statement } from './statement.ts'

export interface Selection extends Given {
  /** Reads from the relation `rows`; each row has one cell for each value of an answer. */
  readonly sql: string
  /** What it looks at of a row. */
  readonly fields: ReadonlySet<string>
  /** A document as the database would answer it. */
  readonly decode: (cells: readonly Cell[]) => unknown
}

type Path = readonly [string] | readonly ['_id', string]

interface Placed extends Output {
  readonly path: Path
}

/**
 * Takes what the read primitives are made of: `$match`, then the newest rows up to a limit, then one `$group` with its
 * sizes of sets, its order and limit.
 *
 * @throws NotInColumns for anything else
 */
export function selectionOf(pipeline: readonly Document[], cut?: Cut): Selection {
  const statement = new Statement()
  const at = groupAt(pipeline)
  const picked = pickedOf(pipeline.slice(0, at), statement, cut)
  const { _id, ...fields } = (pipeline[at] as { $group: Document }).$group
  const after = pipeline.slice(at + 1)
  const keys = keysOf(_id, statement, timesOf(pipeline[0]?.['$match'] ?? {}))
  const sized = sizedOf(after)
  const outputs: Placed[] = [...keys]
  const isOne = _id === null && cut?.oldest !== undefined
  const oldest = isOne ? ` FILTER ("occurredAt" = ${cut.oldest})` : ''
  let greatest: Greatest | undefined
  for (const [name, accumulator] of Object.entries(fields as Readonly<Record<string, Document>>)) {
    const document = greatestIn(accumulator)
    if (document !== undefined) {
      greatest = greatestOf(document, outputs.length, statement)
      outputs.push({ path: [name], ...greatest.output })
    } else if (sized?.list === name) {
      outputs.push({ path: [sized.name], ...countOfSet(accumulator, statement) })
    } else outputs.push({ path: [name], ...accumulated(accumulator, statement, oldest) })
  }
  return {
    sql: sqlOf({ picked, keys, outputs, greatest, tail: tailOf(after) }),
    ...statement.given,
    fields: statement.fields,
    decode: (cells) => documentOf(cells, outputs, _id === null)
  }
}

interface Clauses {
  readonly picked: string
  readonly keys: readonly Output[]
  readonly outputs: readonly Output[]
  readonly greatest: Greatest | undefined
  readonly tail: string
}

function sqlOf({ picked, keys, outputs, greatest, tail }: Clauses): string {
  const list = outputs.map(({ sql }, index) => `${sql} AS c${index}`).join(', ')
  const by =
    keys.length === 0
      ? 'HAVING count(*) > 0'
      : `GROUP BY ${keys.map((_key, index) => index + 1).join(', ')}`
  const groups = `SELECT ${list} FROM (${picked}) ${by} ${tail}`
  const shown = outputs.map(({ shown }, index) => shown(`c${index}`)).join(', ')
  const source =
    greatest === undefined
      ? groups
      : greatest.joined(
          groups,
          picked,
          keys.map(({ sql }) => sql)
        )
  return `SELECT ${shown} FROM (${source})`
}

/** The fields of a document whose greatest is asked for. */
function greatestIn(accumulator: Document): Document | undefined {
  const operand: unknown = accumulator['$max']
  const isDocument = typeof operand === 'object' && operand !== null && !isOperator(operand)
  return isDocument ? operand : undefined
}

/** The list of which only the size is asked for, and the name that the size has. */
function sizedOf(
  stages: readonly Document[]
): { readonly list: string; readonly name: string } | undefined {
  const set: Document | undefined = stages.find((stage) => '$set' in stage)?.['$set']
  const [[name, size] = ['', undefined]] = Object.entries(set ?? {})
  const list: unknown = size?.['$size']?.['$setDifference']?.[0]
  return typeof list === 'string' ? { list: list.slice(1), name } : undefined
}

function documentOf(
  cells: readonly Cell[],
  outputs: readonly Placed[],
  isAlone: boolean
): Document {
  const document: Document = isAlone ? { _id: null } : {}
  outputs.forEach(({ path: [first, second], read }, index) => {
    const cell = cells[index]
    const value = cell === null || cell === undefined ? undefined : read(cell)
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

/** How many rows that fit there are in each hour, or of each millisecond: two numbers. */
export function countsOf(
  pipeline: readonly Document[],
  by: 'hour' | 'millisecond',
  { from, to }: TimeBounds
): Given & { readonly sql: string } {
  const statement = new Statement()
  const { where } = readPicked(pipeline.slice(0, groupAt(pipeline)), statement)
  const since = from === undefined ? '' : ` AND "occurredAt" >= ${from}`
  const until = to === undefined ? '' : ` AND "occurredAt" < ${to}`
  const { sql: time, shown } = by === 'hour' ? HOUR_OF_ROW : TIME_OF_ROW
  const sql = `SELECT ${shown('c0')}, count(*)::DOUBLE FROM (SELECT ${time} AS c0 FROM rows WHERE ${where}${since}${until}) GROUP BY c0`
  return { sql, ...statement.given }
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
  const whole = `${all} AND "occurredAt" >= ${cut.from}`
  const { tied } = cut
  if (tied === undefined) return whole
  const some = `${all} AND "occurredAt" = ${tied.at}${order} LIMIT ${tied.rest}`
  return `${whole} UNION ALL SELECT * FROM (${some})`
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
    else if (sizedOf([stage]) !== undefined) continue
    else throw new NotInColumns(`the stage ${Object.keys(stage)[0]} after groups`)
  }
  return order + limit
}

function keysOf(id: unknown, statement: Statement, times: TimeBounds): readonly Placed[] {
  if (id === null) return []
  if (typeof id === 'string' || isOperator(id)) {
    return [{ path: ['_id'], ...keyOf(id, statement, times) }]
  }
  return Object.entries(id as Document).map(([name, expression]) => ({
    path: ['_id', name] as const,
    ...keyOf(expression, statement, times)
  }))
}

function keyOf(expression: unknown, statement: Statement, times: TimeBounds): Output {
  if (isOperator(expression) && '$dateTrunc' in expression) {
    return bucketOf(expression['$dateTrunc'], statement, times)
  }
  return outputOf(expressionOf(expression, statement))
}
