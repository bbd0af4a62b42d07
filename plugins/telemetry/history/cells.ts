// What DuckDB answers, as values: numbers of lists as they are in its memory, without one object for each. Pure.
import type { DuckDBDataChunk } from '@duckdb/node-api'

/** A value of an answer; of a list, a long one of numbers is one of doubles. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | readonly number[]
  | Float64Array

/** A column of a chunk, as far as it is used here. */
interface Vector {
  getItem(row: number): unknown
}

/** Of lists, whose values are in one vector, list after list. */
interface ListVector extends Vector {
  readonly childVector: Vector & { readonly items?: unknown }
  getEntryOffset(row: number): number
  getEntryLength(row: number): number
}

const isList = (vector: Vector): vector is ListVector => 'childVector' in vector

/** Row by row. Lists are not null, and nothing in them is. */
export function* cellsOf(chunk: DuckDBDataChunk): Iterable<readonly Cell[]> {
  const readers = Array.from({ length: chunk.columnCount }, (_, at) =>
    readerOf(chunk.getColumnVector(at))
  )
  for (let row = 0; row < chunk.rowCount; row++) yield readers.map((read) => read(row))
}

function readerOf(vector: Vector): (row: number) => Cell {
  if (!isList(vector)) return (row) => vector.getItem(row) as Cell
  const values = vector.childVector
  const { items } = values
  return (row) => {
    const offset = vector.getEntryOffset(row)
    const length = vector.getEntryLength(row)
    if (items instanceof Float64Array) return numbersIn(items, offset, length)
    return Array.from({ length }, (_, at) => values.getItem(offset + at)) as readonly string[]
  }
}

function numbersIn(
  items: Float64Array,
  offset: number,
  length: number
): Float64Array | readonly number[] {
  if (length > MANY) return items.slice(offset, offset + length)
  const numbers: number[] = []
  for (let at = offset; at < offset + length; at++) numbers.push(items[at] as number)
  return numbers
}

/** A typed array costs as much as so many numbers of a plain one. */
const MANY = 32
