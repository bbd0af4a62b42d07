// A value of an answer: how a statement computes it, shows it, and how it is read back. Pure.
import type { Cell } from './cells.ts'
import type { Expression } from './statement.ts'

export interface Output {
  /** The value as the groups of a statement have it. */
  readonly sql: string
  /** What the answer has of the column that holds it. */
  readonly shown: (column: string) => string
  /** Of a cell that is not null. */
  readonly read: (cell: Cell) => unknown
}

const same = <T>(value: T): T => value
const asNumber = (column: string): string => `${column}::DOUBLE`

/** As it is: a text, a flag, a list of texts or of doubles. */
export const plainOutput = (sql: string): Output => ({ sql, shown: same, read: same })

export const numberOutput = (sql: string): Output => ({ sql, shown: asNumber, read: same })

/** Of milliseconds. */
export const dateOutput = (sql: string): Output => ({
  sql,
  shown: asNumber,
  read: (cell) => new Date(cell as number)
})

/** Of what is not one of these. */
export const jsonOutput = (sql: string): Output => ({
  sql,
  shown: (column) => `to_json(${column})::VARCHAR`,
  read: (cell) => JSON.parse(cell as string)
})

export function outputOf({ sql, type }: Expression): Output {
  switch (type) {
    case 'number':
      return numberOutput(sql)
    case 'date':
      return dateOutput(sql)
    case 'text':
    case 'flag':
      return plainOutput(sql)
    default:
      return jsonOutput(sql)
  }
}
