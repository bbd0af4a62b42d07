// The upload of a report: aggregate, failure and TLS reports, in any container.
import { buffer } from 'node:stream/consumers'
import { KeelsonError } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import { recordComplaints } from '../complaints/record-complaints.ts'
import type { DmarcContext } from '../context.ts'
import { type Ingested, type Ingestion, ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { uploadedSchema } from './schemas.ts'

const MAX_FILE_BYTES = 10_485_760
const LISTED = 100

/** Prepares the route. */
export function uploadRoute(context: DmarcContext): AdminRoute {
  return adminRoute({
    method: 'POST',
    path: '/dmarc/upload',
    summary: 'Takes a DMARC or TLS report in: XML, JSON, a mail, gzip or zip in the field `file`.',
    permission: 'publish',
    upload: { maxFiles: 1, maxFileBytes: MAX_FILE_BYTES },
    schema: { response: { 200: uploadedSchema } },
    async handler(call) {
      const file = await takeFile(call.files())
      if (file === undefined) {
        const message = 'The form has no file in its field `file`.'
        return { status: 400, body: { error: 'no_file', message } }
      }
      const found = await tryIngest(context, file)
      if (found instanceof KeelsonError) return refused(found.message)
      const [first, ...others] = found.reports
      if (first === undefined) {
        return refused(found.rejected[0]?.message ?? `The file ${file.filename} has no report.`)
      }
      await recordComplaints(call.mailer, found.reports, call.now)
      await call.audit({
        action: 'dmarc.ingest',
        resource: { collection: 'dmarc_reports', id: first.key },
        after: auditView(file.filename, found)
      })
      const additionalReports = others.map(ingestedView)
      const { rejected } = found
      return { body: { ok: true, ...ingestedView(first), additionalReports, rejected } }
    }
  })
}

interface TakenFile {
  readonly filename: string
  readonly bytes: Buffer
}

async function takeFile(
  files: ReturnType<Parameters<AdminRoute['handler']>[0]['files']>
): Promise<TakenFile | undefined> {
  for await (const { field, filename, content } of files) {
    const bytes = await buffer(content)
    if (field === 'file') return { filename: filename.slice(0, 256), bytes }
  }
  return undefined
}

async function tryIngest(
  context: DmarcContext,
  file: TakenFile
): Promise<Ingestion | KeelsonError> {
  try {
    return await ingestDmarcAttachment(context, file, { via: 'upload' })
  } catch (error) {
    if (KeelsonError.is(error) && error.code.startsWith('DMR_')) return error
    throw error
  }
}

const refused = (message: string) => ({ status: 400, body: { error: 'ingest_failed', message } })

/** A report as the routes answer it. */
export function ingestedView({ kind, report, duplicate }: Ingested) {
  if (kind === 'failure') {
    const { feedbackType, sourceIp, reportedDomain } = report
    return { kind, duplicate, feedbackType, sourceIp, reportedDomain }
  }
  const { reportId, rangeStart, rangeEnd } = report
  if (kind === 'tls') {
    const { organizationName, totalSuccessfulSessionCount, totalFailureSessionCount } = report
    const sums = { totalSuccessfulSessionCount, totalFailureSessionCount }
    return { kind, duplicate, reportId, organizationName, rangeStart, rangeEnd, ...sums }
  }
  const { orgName, policy, recovered, totalMessages, passCount, failCount } = report
  return {
    kind,
    duplicate,
    recovered,
    reportId,
    orgName,
    domain: policy.domain,
    rangeStart,
    rangeEnd,
    totalMessages,
    passCount,
    failCount
  }
}

function auditView(filename: string, { reports, rejected }: Ingestion) {
  return {
    filename,
    reports: reports.slice(0, LISTED).map(({ kind, key, duplicate }) => ({ kind, key, duplicate })),
    rejected: rejected.length
  }
}
