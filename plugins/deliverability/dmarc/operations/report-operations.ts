// What was reported: the overview, the records of a report, failure reports and TLS reports.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { readOverview, reportView } from '../overview/read-overview.ts'
import type { FailureRow, RecordRow, TlsRow } from '../storage/rows.ts'
import { refusals } from './refusals.ts'
import {
  failuresSchema,
  overviewSchema,
  recordsSchema,
  tlsReportsSchema
} from './report-answers.ts'

const limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })
const reading = {
  method: 'GET',
  base,
  access: adminAccess.read,
  agent: true,
  effect: 'read'
} as const

const overview = operation({
  ...reading,
  id: 'dmarc.overview.read',
  path: '/dmarc',
  summary: 'Domains with their next policy, failing sources and the newest reports',
  answer: overviewSchema,
  run: (_input, { host }: Call<DmarcContext>) => readOverview(host)
})

const report = operation({
  ...reading,
  id: 'dmarc.reports.read',
  path: '/dmarc/reports/:key',
  summary: 'A report and its records, in their order',
  params: Type.Object({ key: Type.String({ maxLength: 64 }) }),
  query: Type.Object({ cursor: Type.Integer({ minimum: 0, default: 0 }), limit }),
  answer: recordsSchema,
  errors: refusals.only('not_found'),
  async run({ params: { key }, query: { cursor, limit } }, { host }: Call<DmarcContext>) {
    const row = await host.collections.reports.findOne({ _id: key })
    if (row === null) return refusals.refuse('not_found')
    const ids = Array.from({ length: limit }, (_, at) => `${row.ingest}:${cursor + at}`)
    const rows = await host.collections.records.find({ _id: { $in: ids } }).toArray()
    const byId = new Map(rows.map((each) => [each._id, each]))
    const records = ids.flatMap((id) => recordView(byId.get(id)))
    const next = cursor + limit
    const nextCursor = next >= row.records ? {} : { nextCursor: String(next) }
    return { report: reportView(row), records, ...nextCursor }
  }
})

const failures = operation({
  ...reading,
  id: 'dmarc.failures.list',
  path: '/dmarc/failures',
  summary: 'The newest mails that receivers reported',
  query: Type.Object({ limit }),
  answer: failuresSchema,
  async run({ query: { limit } }, { host }: Call<DmarcContext>) {
    const { failures } = host.collections
    const rows = await failures.find().sort({ receivedAt: -1 }).limit(limit).toArray()
    return { failures: rows.map(failureView) }
  }
})

const tls = operation({
  ...reading,
  id: 'dmarc.tlsReports.list',
  path: '/dmarc/tls',
  summary: 'The newest SMTP TLS reports',
  query: Type.Object({ limit }),
  answer: tlsReportsSchema,
  async run({ query: { limit } }, { host }: Call<DmarcContext>) {
    const { tlsReports } = host.collections
    const rows = await tlsReports.find().sort({ receivedAt: -1 }).limit(limit).toArray()
    return { reports: rows.map(tlsView) }
  }
})

/** What was reported. */
export const reportOperations: readonly Operation<DmarcContext>[] = [
  overview,
  report,
  failures,
  tls
]

function recordView(row: RecordRow | undefined) {
  if (row === undefined) return []
  const { _id, ingest, domain, receivedAt, rangeEnd, day, ...record } = row
  return [record]
}

function failureView({ _id: key, via, recipient, sendId, ...failure }: FailureRow) {
  return { key, ...failure }
}

function tlsView({ _id: key, via, domains, contactInfo, ...report }: TlsRow) {
  return { key, ...report }
}
