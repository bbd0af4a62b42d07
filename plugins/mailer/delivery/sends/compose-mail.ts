// Composes one mail: renders its template for its contact, and adds sender, headers and identity. Pure.
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailAttachment, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { domainOf, normalAddress } from '../../ledger/address.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import { defined } from '../../ledger/defined.ts'
import type { PreparedTemplate, RenderedContent } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { feedbackId } from './feedback-id.ts'
import { listHeaders, mailAddresses } from './mail-addresses.ts'
import type { MailRecord } from './settle-send.ts'

/** What a mail is composed from. */
export interface Ingredients {
  readonly config: ResolvedConfig
  readonly send: SendRow
  readonly contact: MailContact
  readonly template: PreparedTemplate
  /** Variables, checked and with defaults. */
  readonly vars: Readonly<Record<string, unknown>>
  /** Variables of the host. */
  readonly roots: Readonly<Record<string, unknown>>
  readonly now: Date
}

/** A mail, ready for a provider. */
export interface ComposedMail {
  readonly message: ProviderMessage
  /** What the ledger keeps of it. */
  readonly record: MailRecord
}

/** What composing came to. A failure is a fault of template or data: a retry will not help. */
export type Composed =
  | { readonly ok: true; readonly mail: ComposedMail }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** Composes the mail of a contact. */
export function composeMail(ingredients: Ingredients): Composed {
  const { config, send, contact, template, now } = ingredients
  const from = senderOf(config, template)
  if (from === undefined)
    return { ok: false, code: 'sender_missing', message: 'The template has no From address.' }
  const email = normalAddress(contact.email)
  const addresses = mailAddresses({ config, send, template, email, now })
  const rendered = template.render({
    contact,
    vars: ingredients.vars,
    roots: ingredients.roots,
    addresses,
    ...defined({ event: send.event, texts: send.texts })
  })
  if (!rendered.ok) return rendered
  const fromDomain = domainOf(from.email)
  const headers = {
    ...listHeaders(addresses.unsubscribeUrl, send.category, fromDomain),
    ...(send.kind === 'marketing' && { 'Feedback-ID': feedbackId(send, fromDomain) })
  }
  const { bodyHash, version: templateVersion } = template
  const replyTo = template.replyTo === null ? {} : { replyTo: template.replyTo }
  const attached = send.attachments === undefined ? {} : { attachments: attachmentsOf(send) }
  const message = { ...messageOf(rendered.mail, from, email), ...replyTo, ...attached, headers }
  return {
    ok: true,
    mail: {
      message: { ...message, messageMeta: { sendId: send._id } },
      record: { ...recordOf(message, from, rendered.mail.links), bodyHash, templateVersion }
    }
  }
}

/** Composes a mail to the people who run the platform. */
export function composeOperatorMail(config: ResolvedConfig, send: SendRow): Composed {
  const { operatorMail } = send
  const from = config.transactionalFromDefaults ?? config.fromDefaults
  if (operatorMail === undefined || from === undefined)
    return { ok: false, code: 'sender_missing', message: 'fromDefaults is not configured.' }
  const { to, subject, text } = operatorMail
  const message = { to, fromName: from.name, fromEmail: from.email, subject, text }
  return {
    ok: true,
    mail: {
      message: { ...message, messageMeta: { sendId: send._id } },
      record: recordOf(message, from, [])
    }
  }
}

type Sender = MailRecord['from']

function messageOf(mail: RenderedContent, from: Sender, to: string): ProviderMessage {
  const { subject, html, text } = mail
  const body = html === undefined ? { text } : { html, text }
  return { to, fromName: from.name, fromEmail: from.email, subject, ...body }
}

function attachmentsOf({ attachments = [] }: SendRow): readonly MailAttachment[] {
  return attachments.map(({ content, ...attachment }) => ({
    ...attachment,
    content: Buffer.isBuffer(content) ? content : Buffer.from(content.buffer)
  }))
}

function recordOf(
  { to, subject }: ProviderMessage,
  from: Sender,
  links: MailRecord['links']
): MailRecord {
  return { to, from, subject, links }
}

/** The template's sender; what it leaves empty comes from the defaults of its kind. */
export function senderOf(
  config: Pick<ResolvedConfig, 'fromDefaults' | 'transactionalFromDefaults'>,
  template: Pick<PreparedTemplate, 'kind' | 'fromName' | 'fromEmail'>
): Sender | undefined {
  const { fromDefaults, transactionalFromDefaults } = config
  const ofKind = template.kind === 'transactional' ? transactionalFromDefaults : undefined
  const defaults = ofKind ?? fromDefaults
  const email = template.fromEmail || defaults?.email
  return email ? { email, name: template.fromName || (defaults?.name ?? '') } : undefined
}
