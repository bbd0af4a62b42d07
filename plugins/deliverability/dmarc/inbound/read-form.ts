// The form that an inbound mail arrives as: its attachments, or the whole mail in one field.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { type FeedbackReport, readFeedback, readFields } from '../failures/feedback-report.ts'
import type { GivenFile } from '../reading/read-file.ts'

/** What `@fastify/multipart` adds to a request, as far as it is used here. */
interface MultipartRequest {
  isMultipart?(): boolean
  parts?(options: { readonly limits: Readonly<Record<string, number>> }): AsyncIterable<Part>
}

type Part =
  | {
      readonly type: 'file'
      readonly filename?: string
      readonly mimetype: string
      readonly file: Readable & { readonly truncated: boolean }
    }
  | { readonly type: 'field'; readonly fieldname: string; readonly value: unknown }

/** Limits of one mail. */
export interface FormLimits {
  readonly maxFiles: number
  readonly maxFileSizeBytes: number
}

/** A form, or why it is not taken. */
export type InboundForm =
  | {
      readonly ok: true
      readonly files: readonly GivenFile[]
      readonly feedback: FeedbackReport | undefined
      /** The domain that the mail claims to come from; empty when it names none. */
      readonly from: string
    }
  | { readonly ok: false; readonly status: 400 | 413; readonly message: string }

const MAX_FIELDS = 40
/** What is looked at of a text, in characters. */
const MOST_TEXT = 65_536
/** Other files of a mail are left alone. */
export const REPORT_NAME = /\.(zip|gz|xml)$/i
/** Fields in which vendors give the whole mail. */
const RAW_FIELDS = new Set(['email', 'body-mime'])
const TOO_LARGE = new Set([
  'FST_REQ_FILE_TOO_LARGE',
  'FST_FILES_LIMIT',
  'FST_PARTS_LIMIT',
  'FST_FIELDS_LIMIT'
])

/** Reads the form within the limits. */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<InboundForm> {
  const multipart = request as MultipartRequest
  if (multipart.isMultipart?.() !== true || multipart.parts === undefined) {
    return { ok: false, status: 400, message: 'The body must be a multipart form.' }
  }
  const { maxFiles: files, maxFileSizeBytes: fileSize } = limits
  // The whole mail may come in a field: it may be as large as a file.
  const bounds = { files, fileSize, fieldSize: fileSize, fields: MAX_FIELDS }
  try {
    return await collectParts(multipart.parts({ limits: bounds }), limits)
  } catch (error) {
    const { code = '' } = error as { readonly code?: string }
    if (TOO_LARGE.has(code)) return tooLarge(limits)
    // The parser's own errors are about the body; anything else is not.
    if (!code.startsWith('FST_') && !(error instanceof Error && isMalformed(error))) throw error
    return { ok: false, status: 400, message: 'The multipart form is invalid.' }
  }
}

async function collectParts(parts: AsyncIterable<Part>, limits: FormLimits): Promise<InboundForm> {
  const files: GivenFile[] = []
  const fields = new Map<string, string>()
  const mails: GivenFile[] = []
  let report: string | null = null
  let original = ''
  for await (const part of parts) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value))
      continue
    }
    const filename = part.filename ?? ''
    const bytes = await buffer(part.file)
    if (part.file.truncated) return tooLarge(limits)
    if (part.mimetype === 'message/feedback-report') report = textOf(bytes)
    else if (/^(message\/rfc822|text\/rfc822-headers)$/.test(part.mimetype)) {
      original = headOf(textOf(bytes))
      mails.push({ filename: 'mail.eml', bytes })
    } else if (REPORT_NAME.test(filename)) files.push({ filename: filename.slice(0, 256), bytes })
  }
  for (const [name, value] of fields) {
    if (RAW_FIELDS.has(name)) files.push({ filename: 'mail.eml', bytes: Buffer.from(value) })
  }
  const feedback = readFeedback({
    headers: readFields(fields.get('headers') ?? ''),
    text: (fields.get('text') ?? '').slice(0, MOST_TEXT),
    report,
    original: readFields(original)
  })
  // Without a report about it, an attached mail is one that was forwarded.
  if (feedback === undefined) files.push(...mails)
  return { ok: true, files, feedback, from: senderOf(fields) }
}

/** Of a form or a whole mail, as far as it says so: enough that senders can take turns. */
function senderOf(fields: ReadonlyMap<string, string>): string {
  const raw = [...RAW_FIELDS].flatMap((name) => fields.get(name) ?? [])[0] ?? ''
  const head = readFields(headOf(raw.slice(0, MOST_TEXT)))
  const from = (fields.get('from') ?? head.get('from') ?? '').slice(0, 1_000)
  return /@([^\s<>"',;:@]+)/.exec(from)?.[1]?.toLowerCase() ?? ''
}

const textOf = (bytes: Buffer) => bytes.subarray(0, MOST_TEXT).toString('utf8')

const headOf = (mail: string) => mail.split(/\r?\n\r?\n/, 1)[0] ?? ''

const isMalformed = ({ message }: Error) =>
  /unexpected end|malformed|boundary|multipart/i.test(message)

/** The answer for a mail over the limits. */
export function tooLarge({ maxFiles, maxFileSizeBytes }: FormLimits): InboundForm {
  const message = `A mail may have ${maxFiles} files of ${maxFileSizeBytes} bytes each.`
  return { ok: false, status: 413, message }
}
