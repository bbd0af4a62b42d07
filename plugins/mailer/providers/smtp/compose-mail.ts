// A mail as MIME, complete and with CRLF line ends: ready to be signed and sent.
import { randomUUID } from 'node:crypto'
import { atFirstUse } from '@keelson/sdk'
import type { ProviderMessage } from '../../contracts/mailer-provider.ts'
import { mimeText } from './mime-text.ts'

/** What a message does not say itself. */
export interface ComposeOptions {
  /** Angle brackets included. */
  readonly messageId: string
  readonly date: Date
}

const loadComposer = atFirstUse(async () => (await import('nodemailer/lib/mail-composer')).default)

/** The message as RFC 5322 text. Attachments with a content id are inline images. */
export async function composeMail(
  message: ProviderMessage,
  options: ComposeOptions
): Promise<Buffer> {
  const { to, fromName, fromEmail, replyTo, subject, html, text, headers, attachments } = message
  const MailComposer = await loadComposer()
  const mail = new MailComposer({
    ...options,
    from: { name: fromName, address: fromEmail },
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(headers !== undefined && { headers: { ...headers } }),
    attachments: (attachments ?? []).map(({ contentId, ...file }) => ({
      ...file,
      ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const })
    })),
    // Nodemailer would ask the system for random bytes at each part.
    baseBoundary: randomUUID(),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true
  })
  const root = mail.compile()
  return mimeText(root) ?? root.build()
}
