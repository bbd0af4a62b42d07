// Reads a file with everything in it: mails, archives, and the reports inside, as a list of outcomes.
import { KeelsonError } from '@keelson/sdk'
import { decodeText } from '../aggregate/decode-text.ts'
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import { createReportParser } from '../aggregate/report-parser.ts'
import { type Bytes, collect, inParts, peek } from '../containers/byte-streams.ts'
import { formatOf, HEAD_BYTES } from '../containers/format.ts'
import { gunzip } from '../containers/gunzip.ts'
import { splitMailbox } from '../containers/split-mailbox.ts'
import { metered, newBudget, spendEntries, type UnpackBudget } from '../containers/unpack-budget.ts'
import { unzip } from '../containers/unzip.ts'
import { errors } from '../errors.ts'
import type { FeedbackReport } from '../failures/feedback-report.ts'
import { parseTlsReport, type TlsReport } from '../tls/parse-tls-report.ts'
import { readMail } from './read-mail.ts'
import { spendMail } from './spend-mail.ts'

/** A report that was read. */
export type FoundReport =
  | {
      readonly kind: 'aggregate'
      readonly filename: string
      readonly report: AggregateReport
      /** All records where there are few; undefined where they must be read as a stream. */
      readonly rows: readonly AggregateRecord[] | undefined
    }
  | { readonly kind: 'failure'; readonly filename: string; readonly report: FeedbackReport }
  | { readonly kind: 'tls'; readonly filename: string; readonly report: TlsReport }

/** A file that was not read, and why. */
export interface RefusedFile {
  readonly filename: string
  readonly code: string
  readonly message: string
}

/** What a file holds. */
export interface FileReading {
  readonly reports: readonly FoundReport[]
  readonly rejected: readonly RefusedFile[]
}

/** A file as it arrived. */
export interface GivenFile {
  readonly filename: string
  readonly bytes: Uint8Array
}

/** The records of one report, wanted as a stream. */
export interface RecordsWanted {
  /** Which of the aggregate reports, counted from 0. */
  readonly index: number
  readonly batch: number
  take(records: readonly AggregateRecord[]): Promise<void>
}

/** What a reader wants besides the reports. */
export interface ReadOptions {
  readonly wanted?: RecordsWanted
  /** Gets the XML of each report, instead of having it read. */
  readonly visitXml?: (xml: string) => void
}

/** Reports with more records are read twice, so that memory stays small: once to check, once for the records. */
export const FEW_RECORDS = 1_000

/** A report that was forwarded, and forwarded again. */
const MOST_FORWARDS = 5

/** What spoils the whole file, not only one part of it. */
const FATAL = new Set(['DMR_TOO_LARGE', 'DMR_RATIO', 'DMR_ENTRIES', 'DMR_MAIL_SIZE', 'DMR_NESTED'])

interface Walk {
  readonly budget: UnpackBudget
  readonly reports: FoundReport[]
  readonly rejected: RefusedFile[]
  readonly options: ReadOptions
  aggregates: number
}

/**
 * Reads a file. Parts that cannot be read are in `rejected`; the rest is whole.
 *
 * @throws a DMR_ error when the file itself cannot be read, or goes over a limit
 */
export async function readFile(
  { filename, bytes }: GivenFile,
  options: ReadOptions = {}
): Promise<FileReading> {
  const budget = newBudget(filename)
  const walk: Walk = { budget, reports: [], rejected: [], options, aggregates: 0 }
  await readPart(walk, { name: filename, content: inParts(bytes) }, 0)
  return { reports: walk.reports, rejected: walk.rejected }
}

interface Part {
  readonly name: string
  readonly content: Bytes
}

interface MailPart {
  readonly name: string
  readonly bytes: Buffer
  /** How many mails it is attached to, each in the next. */
  readonly forwards?: number
}

async function readPart(walk: Walk, { name, content }: Part, depth: number): Promise<void> {
  const { limits } = walk.budget
  const { head, all } = await peek(content, HEAD_BYTES)
  const format = formatOf(head)
  if (format === 'xml') return readAggregate(walk, name, all)
  if (format === 'json') return readTls(walk, name, all)
  if (format === undefined) throw errors.DMR_FORMAT({ name })
  if (depth >= limits.maxDepth) throw errors.DMR_NESTED({ name, limit: limits.maxDepth })
  const bytes = await collect(all)
  if (format === 'mail') return readMailParts(walk, { name, bytes }, depth)
  if (format === 'mailbox') return readMailbox(walk, { name, bytes }, depth)
  if (format === 'zip') {
    for await (const file of unzip(bytes, walk.budget)) await tryPart(walk, file, depth + 1)
    return
  }
  const unpacked = metered(gunzip(bytes, walk.budget), bytes.length, walk.budget)
  return readPart(walk, { name, content: unpacked }, depth + 1)
}

const tryPart = (walk: Walk, part: Part, depth: number): Promise<void> =>
  attempt(walk, part, () => readPart(walk, part, depth))

/** A part that cannot be read does not lose its siblings. */
async function attempt(
  walk: Walk,
  { name: filename }: { readonly name: string },
  read: () => Promise<void>
): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!KeelsonError.is(error) || FATAL.has(error.code)) throw error
    const { code, message } = error
    walk.rejected.push({ filename, code, message })
  }
}

async function readMailbox(walk: Walk, { name, bytes }: MailPart, depth: number): Promise<void> {
  const mails = splitMailbox(bytes)
  spendEntries(walk.budget, mails.length)
  for (const [index, mail] of mails.entries()) {
    const part = { name: mails.length === 1 ? name : `${name}, mail ${index + 1}`, bytes: mail }
    await attempt(walk, part, () => readMailParts(walk, part, depth))
  }
}

async function readMailParts(walk: Walk, mail: MailPart, depth: number): Promise<void> {
  const { name, bytes, forwards = 0 } = mail
  spendMail(bytes, walk.budget)
  const { feedback, files, mails } = await readMail(bytes, name)
  if (feedback !== undefined) {
    walk.reports.push({ kind: 'failure', filename: name, report: feedback })
    return
  }
  const before = walk.reports.length + walk.rejected.length
  for (const file of files) {
    // Logos and signatures are no reports, and no mistakes.
    if (formatOf(file.bytes.subarray(0, HEAD_BYTES)) === undefined) continue
    await tryPart(walk, { name: file.name, content: inParts(file.bytes) }, depth + 1)
  }
  if (forwards < MOST_FORWARDS)
    for (const one of mails) await readForwarded(walk, { ...one, forwards: forwards + 1 }, depth)
  if (walk.reports.length + walk.rejected.length === before) throw errors.DMR_FORMAT({ name })
}

/** An attached mail without a report is not an error: bounces and answers have one, too. */
async function readForwarded(walk: Walk, mail: MailPart, depth: number): Promise<void> {
  await attempt(walk, mail, async () => {
    try {
      await readMailParts(walk, mail, depth)
    } catch (error) {
      if (!KeelsonError.is(error) || error.code !== 'DMR_FORMAT') throw error
    }
  })
}

async function readAggregate(walk: Walk, filename: string, content: Bytes): Promise<void> {
  const { wanted, visitXml } = walk.options
  if (visitXml !== undefined) {
    const texts: string[] = []
    for await (const text of decodeText(content)) texts.push(text)
    return visitXml(texts.join(''))
  }
  const isWanted = wanted?.index === walk.aggregates
  const batch: AggregateRecord[] = []
  let isFew = true
  const parser = createReportParser((record) => {
    if (wanted !== undefined && !isWanted) return
    if (wanted === undefined && batch.length >= FEW_RECORDS) {
      isFew = false
      batch.length = 0
    }
    if (isFew) batch.push(record)
  })
  for await (const text of decodeText(content)) {
    parser.write(text)
    if (isWanted) await takeFull(wanted, batch)
  }
  const report = parser.end()
  if (isWanted && batch.length > 0) await wanted.take(batch)
  walk.aggregates++
  const rows = isFew && wanted === undefined ? batch : undefined
  walk.reports.push({ kind: 'aggregate', filename, report, rows })
}

async function takeFull(wanted: RecordsWanted, batch: AggregateRecord[]): Promise<void> {
  while (batch.length >= wanted.batch) await wanted.take(batch.splice(0, wanted.batch))
}

async function readTls(walk: Walk, filename: string, content: Bytes): Promise<void> {
  const json = (await collect(content)).toString('utf8')
  walk.reports.push({ kind: 'tls', filename, report: parseTlsReport(json) })
}
