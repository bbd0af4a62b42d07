// A mail as a spam filter reads it: headers, a text part and an HTML part. Pure.
import { randomUUID } from 'node:crypto'
import type { ScoredMail } from './content-service.ts'

/** Slots are filled with a word: what stays in braces would be judged as spam. */
const filled = (text: string): string => text.replace(/\{\{[^{}]*\}\}\}?/g, 'Sample')

/** A header with other characters than ASCII is encoded (RFC 2047). */
function header(text: string): string {
  const line = filled(text)
    .replace(/[\r\n]+/g, ' ')
    .trim()
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString('base64')}?=`
}

const base64 = (text: string): string =>
  Buffer.from(filled(text)).toString('base64').replace(/.{76}/g, '$&\r\n')

/** A multipart message, or one part when there is no HTML. */
export function mimeMessage(mail: ScoredMail, date: Date): string {
  const { fromName, fromEmail, subject, html, text } = mail
  const domain = fromEmail.slice(fromEmail.lastIndexOf('@') + 1) || 'localhost'
  const head = [
    `From: ${header(fromName)} <${header(fromEmail)}>`,
    'To: recipient@example.com',
    `Subject: ${header(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@${domain}>`,
    'MIME-Version: 1.0'
  ]
  const part = (type: string, body: string) => [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(body)
  ]
  if (html === '') return [...head, ...part('text/plain', text), ''].join('\r\n')
  const boundary = `keelson-${randomUUID()}`
  return [
    ...head,
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...[`--${boundary}`, ...part('text/plain', text)],
    ...[`--${boundary}`, ...part('text/html', html)],
    ...[`--${boundary}--`, '']
  ].join('\r\n')
}
