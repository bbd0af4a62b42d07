// Writes a compiled mail out at once. Nodemailer's own way joins six streams for each mail.
import { encode as toBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import { encode as toQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'

/** RFC 5322 text with CRLF line ends; undefined when a part is not text: `build()` writes those. */
export function mimeText(root: MimeNode): Buffer | undefined {
  const text = textOf(root)
  if (text === undefined) return undefined
  const ended = text.endsWith('\n') ? text : `${text}\n`
  return Buffer.from(ended.replace(/\r?\n/g, '\r\n'))
}

function textOf(part: MimeNode): string | undefined {
  const head = `${part.buildHeaders()}\r\n\r\n`
  if (!part.multipart) {
    const body = bodyOf(part)
    return body === undefined ? undefined : head + body
  }
  const { boundary } = part
  const children = part.childNodes.map(textOf)
  if (children.includes(undefined)) return undefined
  return `${head}--${boundary}\r\n${children.join(`\r\n--${boundary}\r\n`)}\r\n--${boundary}--\r\n`
}

function bodyOf(part: MimeNode): string | undefined {
  const content = part.content ?? ''
  if (typeof content !== 'string') return undefined
  switch (part.getHeader('Content-Transfer-Encoding')) {
    case 'quoted-printable':
      return wrapQuotedPrintable(toQuotedPrintable(content))
    case 'base64':
      return wrapBase64(toBase64(content))
    default:
      return content
  }
}
