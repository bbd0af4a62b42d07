// Takes a file with reports in: reads it in a thread, and stores what is in it.
import { DURABLE } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { FoundReport, GivenFile, RefusedFile } from '../reading/read-file.ts'
import type { OpenFile } from '../reading/reader.ts'
import type { Via } from '../storage/rows.ts'
import { withSums } from '../tls/parse-tls-report.ts'
import { tlsKey } from './report-keys.ts'
import { storeFeedback } from './store-feedback.ts'
import { storeReport } from './store-report.ts'

/** A report that is stored now, or was before. */
export type Ingested = FoundReport & {
  /** Its key in the database. */
  readonly key: string
  readonly duplicate: boolean
}

export interface Ingestion {
  readonly reports: readonly Ingested[]
  readonly rejected: readonly RefusedFile[]
}

export interface IngestOptions {
  readonly via: Via
  /** Who sent the file: senders take turns. Default: all files without it are of one sender. */
  readonly from?: string
  /** Reports about other domains are rejected. Default: all are taken. */
  readonly isAllowed?: (domain: string) => boolean
}

type IngestContext = Pick<DmarcContext, 'collections' | 'clock' | 'reader' | 'withTransaction'>

/**
 * Reads and stores one file. A part that cannot be read is in `rejected`.
 *
 * @throws a DMR_ error when nothing of the file can be read; nothing of it is stored then
 * @throws DMR_BUSY when too many files wait
 */
export function ingestDmarcAttachment(
  context: IngestContext,
  file: GivenFile,
  options: IngestOptions
): Promise<Ingestion> {
  return context.reader.open(file, options.from ?? '', async (open) => {
    const reading = await open.read()
    const reports: Ingested[] = []
    const rejected = [...reading.rejected]
    let aggregates = 0
    for (const given of reading.reports) {
      const found = ownPart(given, options)
      const index = found.kind === 'aggregate' ? aggregates++ : 0
      const refused = refusal(found, options)
      if (refused) rejected.push(refused)
      else reports.push(await store(context, found, { ...options, open, index }))
    }
    return { reports, rejected }
  })
}

function refusal(found: FoundReport, { isAllowed }: IngestOptions): RefusedFile | undefined {
  const other = isAllowed && domainsOf(found).find((domain) => !isAllowed(domain))
  if (other === undefined) return undefined
  const { code, message } = errors.DMR_DOMAIN({ domain: other })
  return { filename: found.filename, code, message }
}

/** A TLS report may be about several domains: those of others are left out where any is ours. */
function ownPart(found: FoundReport, { isAllowed = () => true }: IngestOptions): FoundReport {
  if (found.kind !== 'tls') return found
  const own = found.report.policies.filter(
    ({ policyDomain }) => policyDomain === null || isAllowed(policyDomain)
  )
  return own.length === 0 ? found : { ...found, report: { ...found.report, ...withSums(own) } }
}

function domainsOf(found: FoundReport): readonly string[] {
  if (found.kind === 'aggregate') return [found.report.policy.domain]
  if (found.kind === 'tls')
    return found.report.policies.flatMap(({ policyDomain }) => policyDomain ?? [])
  return found.report.reportedDomain === null ? [] : [found.report.reportedDomain]
}

interface StoreOptions extends IngestOptions {
  readonly open: OpenFile
  /** Which aggregate report of the file it is. */
  readonly index: number
}

async function store(
  context: IngestContext,
  found: FoundReport,
  { via, open, index }: StoreOptions
): Promise<Ingested> {
  const { collections, clock } = context
  const receivedAt = clock.now()
  if (found.kind === 'aggregate') {
    const { report, rows, filename } = found
    const records = () => open.records(index)
    const stored = await storeReport(context, { report, rows, filename, via, records })
    return { ...found, rows: undefined, key: stored.key, duplicate: !stored.isNew }
  }
  if (found.kind === 'tls') {
    const _id = tlsKey(found.report)
    const domains = [...new Set(domainsOf(found))]
    const row = { ...found.report, domains, receivedAt, via }
    const made = await collections.tlsReports.updateOne(
      { _id },
      { $setOnInsert: row },
      { upsert: true, ...DURABLE }
    )
    return { ...found, key: _id, duplicate: made.upsertedCount === 0 }
  }
  return storeFeedback(context, found.report, { via, filename: found.filename })
}
