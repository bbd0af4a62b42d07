// Rows of a CSV upload (RFC 4180, and what spreadsheets make of it), each with its line; a fault costs one line.
import type { Sentence } from '@keelson/sdk'
import { parse } from 'csv-parse/sync'
import { decodeText } from './decode-text.ts'
import { say } from './sentences.ts'

/** A longer row is a fault: no row of ours is as long. */
export const MOST_CHARACTERS = 65_536
/** Line breaks within a row. Where a quote is not closed, no more lines than that are looked through. */
const MOST_LINES = 100

/** A row, or why there is none at this line. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: Sentence }

/** A line with what ended it, which belongs to the cell when a quote is open. */
interface Line {
  readonly number: number
  /** Cut behind `MOST_CHARACTERS`. */
  readonly text: string
  readonly end: string
  readonly quotes: number
}

const NOT_CLOSED = say('line.notClosed')
const TOO_LONG = say('line.tooLong', { most: MOST_CHARACTERS })
const SEPARATOR_LINE = /^"?sep=(.)"?$/i
const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * Every row; empty lines are left out. The delimiter is the one that a line `sep=;` names, or the most
 * frequent of the first row. Cells are trimmed unless they are quoted.
 */
export async function* readCsv(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const waiting: Line[] = []
  let delimiter: string | undefined
  function* rows(isEnd: boolean): Generator<CsvRow> {
    for (;;) {
      const record = firstRecord(waiting, isEnd)
      if (record === undefined) return
      const named = delimiter === undefined ? SEPARATOR_LINE.exec(record.text)?.[1] : undefined
      delimiter ??= named ?? (record.text === '' ? undefined : delimiterOf(record.text))
      const row = rowOf(record, delimiter ?? ',')
      // After a fault it goes on with the next line, so that an open quote does not cost the rows after it.
      waiting.splice(0, 'fault' in row ? 1 : record.lines)
      const isEmpty = 'cells' in row && row.cells.every((cell) => cell === '')
      if (named === undefined && !isEmpty) yield row
    }
  }
  for await (const line of linesOf(decodeText(pieces))) {
    waiting.push(line)
    yield* rows(false)
  }
  yield* rows(true)
}

/** What may be a row: the lines until its quotes are closed. */
interface CsvRecord {
  readonly line: number
  readonly lines: number
  readonly text: string
}

/** The first record of the lines; undefined: the next line is needed. */
function firstRecord(waiting: readonly Line[], isEnd: boolean): CsvRecord | undefined {
  let quotes = 0
  let text = ''
  for (const [at, line] of waiting.entries()) {
    quotes += line.quotes
    text += line.text
    const isLast = isEnd && at === waiting.length - 1
    if (quotes % 2 === 0 || isLast || at === MOST_LINES || text.length > MOST_CHARACTERS)
      return { line: waiting[0]?.number ?? 0, lines: at + 1, text }
    text += line.end
  }
  return undefined
}

function rowOf({ line, text }: CsvRecord, delimiter: string): CsvRow {
  if (text.length > MOST_CHARACTERS) return { line, fault: TOO_LONG }
  if (!text.includes('"')) return { line, cells: text.split(delimiter).map((cell) => cell.trim()) }
  const cells = quotedCells(text, delimiter)
  return cells === undefined ? { line, fault: NOT_CLOSED } : { line, cells }
}

/** Undefined: the quotes are not those of one row. */
function quotedCells(text: string, delimiter: string): readonly string[] | undefined {
  try {
    const records = parse(text, { delimiter, trim: true, relax_column_count: true })
    return records.length === 1 ? records[0] : undefined
  } catch {
    return undefined
  }
}

/** The most frequent delimiter outside quotes. */
function delimiterOf(record: string): string {
  const plain = record.replace(/"(?:[^"]|"")*"/g, '')
  const count = (one: string) => plain.split(one).length
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** A line ends with `\n`, `\r\n` or a `\r` alone. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0
  let rest = ''
  const lineOf = (whole: string, end: string): Line => {
    number += 1
    const text = whole.slice(0, MOST_CHARACTERS + 1)
    return { number, text, end, quotes: text.split('"').length - 1 }
  }
  for await (const piece of pieces) {
    // A `\r` at the end of a piece may have its `\n` in the next.
    const parts = (rest + piece).split(/(\r\n|\n|\r(?=[\s\S]))/)
    for (let at = 0; at < parts.length - 1; at += 2)
      yield lineOf(parts[at] as string, parts[at + 1] as string)
    const last = parts.at(-1) as string
    // What is too long is refused by its line, so the end of it is not needed.
    const isCut = last.length > MOST_CHARACTERS + 1
    rest = isCut ? last.slice(0, MOST_CHARACTERS + 1) + (last.endsWith('\r') ? '\r' : '') : last
  }
  if (rest !== '') yield lineOf(rest.replace(/\r$/, ''), '')
}
