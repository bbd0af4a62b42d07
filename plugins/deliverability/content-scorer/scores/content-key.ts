// The fingerprint of content that is scored. Pure.
import { createHash } from 'node:crypto'
import type { TemplateContent } from '@keelson/mailer/contracts'

/** Equal body, subject and From address have an equal key: SHA-256, hex. */
export const contentScorerContentKey = ({
  bodyHash,
  subject,
  fromEmail
}: Pick<TemplateContent, 'bodyHash' | 'subject' | 'fromEmail'>): string =>
  createHash('sha256').update(`${bodyHash}|${subject}|${fromEmail}`).digest('hex')
