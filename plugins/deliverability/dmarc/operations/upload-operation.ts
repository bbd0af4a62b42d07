// The upload of a report: aggregate, failure and TLS reports, in any container.
import { buffer } from 'node:stream/consumers'
import { adminAccess, MAILER_ADMIN_API as base, type MailerCore } from '@keelson/mailer/contracts'
import { type Call, KeelsonError, operation, type UploadedFile } from '@keelson/sdk'
import { recordComplaints } from '../complaints/record-complaints.ts'
import type { DmarcContext } from '../context.ts'
import { type Ingested, type Ingestion, ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { refusals } from './refusals.ts'
import { uploadedSchema } from './report-answers.ts'

const MAX_FILE_BYTES = 10_485_760
const LISTED = 100

/** What the operation is served with. */
export interface UploadHost extends DmarcContext {
  readonly mailer: Pick<MailerCore, 'as'>
}

/** The upload. */
export const uploadReport = operation({
  id: 'dmarc.reports.upload',
  method: 'POST',
  base,
  path: '/dmarc/upload',
  summary: 'Takes a DMARC or TLS report in: XML, JSON, a mail, gzip or zip in the field `file`',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true },
  upload: { kind: 'form', maxFiles: 1, maxFileBytes: MAX_FILE_BYTES },
  answer: uploadedSchema,
  errors: refusals.only('no_file', 'ingest_failed'),
  async run({ files }, { host, actor }: Call<UploadHost>) {
    const file = await takeFile(files())
    if (file === undefined) return refusals.refuse('no_file')
    const found = await tryIngest(host, file)
    if (KeelsonError.is(found)) return refusals.refuse('ingest_failed', { message: found.message })
    const { reports, rejected } = found
    const [first, ...others] = reports
    if (first === undefined) {
      const message = rejected[0]?.message ?? `The file ${file.filename} has no report.`
      return refusals.refuse('ingest_failed', { message })
    }
    const mailer = host.mailer.as(actor)
    await recordComplaints(mailer, reports, host.clock.now())
    await mailer.audit({
      action: 'dmarc.ingest',
      resource: { collection: 'dmarc_reports', id: first.key },
      after: auditView(file.filename, found)
    })
    const additionalReports = others.map(ingestedView)
    return { ok: true as const, ...ingestedView(first), additionalReports, rejected }
  }
})

interface TakenFile {
  readonly filename: string
  readonly bytes: Buffer
}

async function takeFile(files: AsyncIterable<UploadedFile>): Promise<TakenFile | undefined> {
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

/** A report as it is answered. */
function ingestedView({ kind, report, duplicate }: Ingested) {
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
