// A mail with reports: its attachments, and the feedback report that it may be itself.
import { atFirstUse } from '@keelson/sdk'
import type { Attachment } from 'postal-mime'
import { errors } from '../errors.ts'
import {
  type FeedbackReport,
  type ReportMail,
  readFeedback,
  readFields
} from '../failures/feedback-report.ts'

/** A file in a mail. */
export interface MailFile {
  readonly name: string
  readonly bytes: Buffer
}

export interface ReadMail {
  readonly feedback: FeedbackReport | undefined
  readonly files: readonly MailFile[]
  /** Mails that are attached to it: a report that a person forwarded is one. Empty in a feedback report. */
  readonly mails: readonly MailFile[]
}

const OPTIONS = { forceRfc822Attachments: true, maxNestingDepth: 20, maxHeadersSize: 262_144 }
const MOST_FILES = 100
/** Parts that a feedback report is made of: not files. */
const PARTS = new Set(['message/feedback-report', 'message/rfc822', 'text/rfc822-headers'])

const loadMime = atFirstUse(async () => (await import('postal-mime')).default)

/** Reads the parts. @throws DMR_DAMAGED */
export async function readMail(bytes: Buffer, name: string): Promise<ReadMail> {
  const PostalMime = await loadMime()
  try {
    const mail = await PostalMime.parse(bytes, OPTIONS)
    const part = (...types: readonly string[]) =>
      mail.attachments.find(({ mimeType }) => types.includes(mimeType))
    const report = part('message/feedback-report')
    const original = part('message/rfc822', 'text/rfc822-headers')
    const parts: ReportMail = {
      headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
      text: (mail.text ?? '').slice(0, 65_536),
      report: report ? textOf(report) : null,
      original: readFields(original ? headOf(textOf(original)) : '')
    }
    const feedback = readFeedback(parts)
    const files = mail.attachments.filter(({ mimeType }) => !PARTS.has(mimeType))
    const mails = mail.attachments.filter(({ mimeType }) => mimeType === 'message/rfc822')
    return {
      feedback,
      files: files.slice(0, MOST_FILES).map(fileOf),
      mails: feedback === undefined ? mails.slice(0, MOST_FILES).map(fileOf) : []
    }
  } catch (cause) {
    throw errors.DMR_DAMAGED({ name, problem: 'its mail cannot be read', cause })
  }
}

function fileOf(attachment: Attachment, index: number): MailFile {
  return { name: attachment.filename ?? `part ${index + 1}`, bytes: bytesOf(attachment) }
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === 'string') return Buffer.from(content)
  const { buffer, byteOffset, byteLength } =
    content instanceof Uint8Array ? content : new Uint8Array(content)
  return Buffer.from(buffer, byteOffset, byteLength)
}

const textOf = (attachment: Attachment) => bytesOf(attachment).subarray(0, 65_536).toString('utf8')

function headOf(message: string): string {
  return message.split(/\r?\n\r?\n/, 1)[0] ?? ''
}
