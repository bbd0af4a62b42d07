// What was reported: the overview, the records of a report, failure reports and TLS reports.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { DmarcContext } from '../context.ts'
import { readOverview, reportView } from '../overview/read-overview.ts'
import type { FailureRow, RecordRow, TlsRow } from '../storage/rows.ts'
import { failuresSchema, overviewSchema, recordsSchema, tlsReportsSchema } from './schemas.ts'

const limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })
const NOT_FOUND = {
  status: 404,
  body: { error: 'not_found', message: 'There is no report with this key.' }
}

/** Prepares the routes. */
export function reportRoutes(context: DmarcContext): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/dmarc',
      summary: 'Domains with their next policy, failing sources and the newest reports.',
      schema: { response: { 200: overviewSchema } },
      handler: async () => ({ body: await readOverview(context) })
    }),
    adminRoute({
      method: 'GET',
      path: '/dmarc/reports/:key',
      summary: 'A report and its records, in their order.',
      schema: {
        params: Type.Object({ key: Type.String({ maxLength: 64 }) }),
        querystring: Type.Object({ cursor: Type.Optional(Type.Integer({ minimum: 0 })), limit }),
        response: { 200: recordsSchema }
      },
      async handler({ params: { key }, query }) {
        const report = await context.collections.reports.findOne({ _id: key })
        if (report === null) return NOT_FOUND
        const from = query.cursor ?? 0
        const numbers = Array.from({ length: query.limit }, (_, at) => from + at)
        const ids = numbers.map((number) => `${report.ingest}:${number}`)
        const rows = await context.collections.records.find({ _id: { $in: ids } }).toArray()
        const byId = new Map(rows.map((row) => [row._id, row]))
        const records = ids.flatMap((id) => recordView(byId.get(id)))
        const next = from + query.limit
        const isLast = next >= report.records
        const nextCursor = isLast ? {} : { nextCursor: String(next) }
        return { body: { report: reportView(report), records, ...nextCursor } }
      }
    }),
    adminRoute({
      method: 'GET',
      path: '/dmarc/failures',
      summary: 'The newest mails that receivers reported.',
      schema: { querystring: Type.Object({ limit }), response: { 200: failuresSchema } },
      async handler({ query }) {
        const { failures } = context.collections
        const rows = await failures.find().sort({ receivedAt: -1 }).limit(query.limit).toArray()
        return { body: { failures: rows.map(failureView) } }
      }
    }),
    adminRoute({
      method: 'GET',
      path: '/dmarc/tls',
      summary: 'The newest SMTP TLS reports.',
      schema: { querystring: Type.Object({ limit }), response: { 200: tlsReportsSchema } },
      async handler({ query }) {
        const { tlsReports } = context.collections
        const rows = await tlsReports.find().sort({ receivedAt: -1 }).limit(query.limit).toArray()
        return { body: { reports: rows.map(tlsView) } }
      }
    })
  ]
}

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
