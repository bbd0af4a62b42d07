// A file of records as it is written: CSV or JSON piece by piece, Parquet once it is whole.
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { errors } from '../errors.ts'
import type { Envelope } from '../schemas/envelope.ts'
import { csvColumns, csvHead, csvLine } from './csv.ts'

export const FILE_FORMATS = ['csv', 'json', 'parquet'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** Writes a Parquet file of records and answers its path; undefined where DuckDB is not installed. */
export type WriteParquet = (
  batches: AsyncIterable<readonly Envelope[]>
) => Promise<string | undefined>

/** Rejects before anything is sent when the first records cannot be read. */
export async function recordFile(
  batches: AsyncGenerator<readonly Envelope[]>,
  format: FileFormat,
  writeParquet: WriteParquet
): Promise<Readable> {
  const first = await batches.next()
  const all = rejoined(first, batches)
  if (format === 'parquet') return parquetStream(await writeParquet(all))
  const stream = Readable.from(format === 'csv' ? csvOf(all) : jsonOf(all))
  // A stream that is destroyed before it is read never begins what it is of.
  stream.once('close', () => void batches.return(undefined))
  return stream
}

async function* rejoined(
  first: IteratorResult<readonly Envelope[]>,
  rest: AsyncGenerator<readonly Envelope[]>
): AsyncGenerator<readonly Envelope[]> {
  if (first.done === true) return
  yield first.value
  yield* rest
}

async function* csvOf(batches: AsyncIterable<readonly Envelope[]>): AsyncGenerator<string> {
  let columns: ReturnType<typeof csvColumns> | undefined
  for await (const records of batches) {
    const known = columns ?? csvColumns(records)
    const head = columns === undefined ? csvHead(known) : ''
    columns = known
    yield head + records.map((record) => csvLine(record, known)).join('')
  }
  if (columns === undefined) yield csvHead({ attrs: [], metrics: [] })
}

async function* jsonOf(batches: AsyncIterable<readonly Envelope[]>): AsyncGenerator<string> {
  let mark = '['
  for await (const records of batches) {
    yield records
      .map((record) => {
        const text = `${mark}\n${JSON.stringify(record)}`
        mark = ','
        return text
      })
      .join('')
  }
  yield mark === '[' ? '[]\n' : '\n]\n'
}

function parquetStream(path: string | undefined): Readable {
  if (path === undefined) throw errors.TEL_EXPORT_ENGINE()
  const stream = createReadStream(path)
  stream.once('close', () => void rm(path, { force: true }))
  return stream
}
