// A statement in the making: text from this package alone, and the texts that it takes as parameters. Pure.
import { COLUMNS, type ColumnType, type Keyed, quoted } from './columns.ts'

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

/** A value of a map that a statement asks for, as a column of the relation that it reads. */
export interface MapValue {
  readonly column: string
  readonly map: Keyed
  /** As it is, and as the parameter that it is in the statement. */
  readonly key: { readonly text: string; readonly sql: string }
}

/** What a statement is given. */
export interface Given {
  /** Its parameters. */
  readonly values: readonly string[]
  /** Columns of rows that it reads: each one of the relation `rows` takes time to plan. */
  readonly columns: readonly string[]
  /** What `rows` must have beside them. */
  readonly mapValues: readonly MapValue[]
}

/** What rows are ordered and told apart by. */
const PLACE = ['occurredAt', '_id']

export class Statement {
  readonly #values: string[] = []
  readonly #mapValues: MapValue[] = []
  readonly #fields = new Set(PLACE)

  /** Fields of rows that it looks at. */
  get fields(): ReadonlySet<string> {
    return this.#fields
  }

  get given(): Given {
    return {
      values: this.#values,
      columns: [...this.#fields].filter((field) => Object.hasOwn(COLUMNS, field)),
      mapValues: this.#mapValues
    }
  }

  text(value: string): string {
    this.#values.push(value)
    return `$${this.#values.length}::VARCHAR`
  }

  // Numbers and flags are written out: what has parameters is planned twice, and files are chosen by what is known. They
  // are made from values, so that no text comes through.

  number(value: number): string {
    return Number.isFinite(value)
      ? `(${value.toExponential()})::DOUBLE`
      : `'${Number(value)}'::DOUBLE`
  }

  whole(value: number): string {
    return `(${BigInt(value)})::BIGINT`
  }

  flag(value: boolean): string {
    return value ? 'TRUE' : 'FALSE'
  }

  /** The bytes that hex digits stand for. */
  bytes(hex: string): string {
    return `unhex(${this.text(hex)})`
  }

  /** A field of a row: a column, or a value of one that is a map. */
  field(path: string): Expression {
    this.#fields.add(path)
    if (Object.hasOwn(COLUMNS, path)) {
      return { sql: quoted(path), type: COLUMNS[path] as ColumnType }
    }
    const dot = path.indexOf('.')
    const map = path.slice(0, Math.max(0, dot))
    const key = path.slice(dot + 1)
    if (map === 'attrs') return { sql: this.#mapValue(map, key), type: 'text' }
    if (map === 'metrics') return { sql: this.#mapValue(map, key), type: 'number' }
    throw new NotInColumns(`the field ${path}`)
  }

  #mapValue(map: Keyed, text: string): string {
    const known = this.#mapValues.find((one) => one.map === map && one.key.text === text)
    if (known !== undefined) return known.column
    const column = quoted(`value${this.#mapValues.length}`)
    this.#mapValues.push({ column, map, key: { text, sql: this.text(text) } })
    return column
  }
}
