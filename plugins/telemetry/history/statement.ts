// A statement in the making: text from this package alone, and the values that it takes as parameters. Pure.
import { COLUMNS, type ColumnType, quoted } from './columns.ts'

export type SqlValue = string | number | bigint | boolean

/** A field or an expression that columns cannot tell: the read is not for segments. */
export class NotInColumns extends Error {
  override readonly name = 'NotInColumns'

  constructor(what: string) {
    super(`Segments cannot be read by ${what}.`)
  }
}

/** An expression and what it is. `any` fits every type. */
export interface Expression {
  readonly sql: string
  readonly type: ColumnType | 'any'
}

export class Statement {
  readonly values: SqlValue[] = []
  /** Fields of rows that it looks at. */
  readonly fields = new Set<string>()

  text(value: string): string {
    return `${this.#bind(value)}::VARCHAR`
  }

  number(value: number): string {
    return `${this.#bind(value)}::DOUBLE`
  }

  whole(value: number): string {
    return `${this.#bind(BigInt(value))}::BIGINT`
  }

  flag(value: boolean): string {
    return `${this.#bind(value)}::BOOLEAN`
  }

  /** The bytes that hex digits stand for. */
  bytes(hex: string): string {
    return `unhex(${this.text(hex)})`
  }

  /** A field of a row: a column, or a value of one that is a map. */
  field(path: string): Expression {
    this.fields.add(path)
    if (Object.hasOwn(COLUMNS, path)) {
      return { sql: quoted(path), type: COLUMNS[path] as ColumnType }
    }
    const dot = path.indexOf('.')
    const map = path.slice(0, Math.max(0, dot))
    const key = path.slice(dot + 1)
    if (map === 'attrs') return { sql: `"attrs"[${this.text(key)}]`, type: 'text' }
    if (map === 'metrics') return { sql: `"metrics"[${this.text(key)}]`, type: 'number' }
    throw new NotInColumns(`the field ${path}`)
  }

  #bind(value: SqlValue): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}
