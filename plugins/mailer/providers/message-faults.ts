// What no provider is asked to send: text that would become further headers or further recipients.
import type { ProviderMessage, ProviderSend } from '../contracts/mailer-provider.ts'

/** Header names of RFC 5322: printable, without a colon. */
const HEADER_NAME = /^[!-9;-~]{1,77}$/
const CONTROL = /(?!\t)\p{Cc}/u
/** One address, loosely: what it means is the vendor's to judge. */
const ADDRESS = /^[^@\s<>,;:"()[\]\\\p{Cc}]{1,64}@[^@\s<>,;:"()\\\p{Cc}]{1,255}$/u
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=("[^"\\\r\n]*"|[\w.+-]+))*$/
const MESSAGE_ID = /^<[^<>@\s]+@[^<>@\s]+>$/

/** Headers that a mail has anyway, or that only servers may add. */
const RESERVED =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|received|dkim-signature|mime-version|content-.*|resent-.*)$/i

/** Why a message must not reach a vendor, as a sentence, or undefined. Values are not shown: they may be hostile. */
export function faultOfMessage(
  message: ProviderMessage,
  send: Pick<ProviderSend, 'messageId'>
): string | undefined {
  return (
    faultOfAddresses(message) ??
    faultOfText(message) ??
    faultOfHeaders(message.headers ?? {}) ??
    faultOfAttachments(message) ??
    (MESSAGE_ID.test(send.messageId) ? undefined : 'The Message-ID is invalid.')
  )
}

function faultOfAddresses(message: ProviderMessage): string | undefined {
  const { to, fromEmail, replyTo } = message
  const found = Object.entries({ to, fromEmail, replyTo }).find(
    ([, value]) => value !== undefined && !ADDRESS.test(value)
  )
  return found && `${found[0]} is not one plain address.`
}

function faultOfText(message: ProviderMessage): string | undefined {
  const { subject, fromName, messageMeta = {} } = message
  const texts = { subject, fromName, ...messageMeta }
  const found = Object.entries(texts).find(
    ([name, value]) => CONTROL.test(name) || CONTROL.test(value)
  )
  return found && `${JSON.stringify(found[0])} has a line break or another control character.`
}

function faultOfHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return `A header has the invalid name ${JSON.stringify(name)}.`
    if (RESERVED.test(name)) return `The header ${name} cannot be set.`
    if (CONTROL.test(value))
      return `The header ${name} has a line break or another control character.`
  }
  return undefined
}

function faultOfAttachments({ attachments = [] }: ProviderMessage): string | undefined {
  for (const [at, { filename, contentType, contentId = '' }] of attachments.entries()) {
    if (CONTROL.test(filename) || filename === '') return `attachments[${at}].filename is invalid.`
    if (!MEDIA_TYPE.test(contentType)) return `attachments[${at}].contentType is invalid.`
    if (CONTROL.test(contentId) || /[<>\s]/.test(contentId))
      return `attachments[${at}].contentId is invalid.`
  }
  return undefined
}
