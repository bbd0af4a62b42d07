// Sends a test mail of a template at once; the ledger does not keep it.
import { randomUUID } from 'node:crypto'
import type { TemplateVersion, TestMail } from '../../contracts/mailer-core.ts'
import type { ProviderMessage } from '../../contracts/mailer-provider.ts'
import { callProvider } from '../../delivery/sends/call-provider.ts'
import { listHeaders } from '../../delivery/sends/mail-addresses.ts'
import { errors } from '../../errors.ts'
import { domainOf, isMailable, normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { chooseProvider } from '../../providers/choose-provider.ts'
import { composeMail } from '../../providers/smtp/compose-mail.ts'
import {
  type PreviewFailure,
  type PreviewRequest,
  type PreviewResult,
  previewTemplate
} from './preview-template.ts'

/** What is rendered, and where it goes. */
export interface TestMailRequest extends PreviewRequest {
  readonly templateSlug: string
  readonly to: string
  /** The subject begins with `[Test]`. Default false: a scorer must see the mail as it would be sent. */
  readonly isMarked?: boolean
}

/** What a test mail came to. */
export type TestMailResult =
  | { readonly ok: true; readonly providerId: string }
  | PreviewFailure
  | {
      readonly ok: false
      readonly code: 'validation_failed' | 'provider_failed'
      readonly message: string
    }

/**
 * Renders with the data of a contact and delivers to `to`. Not tracked, not held, not recorded. Its links of
 * the mailer are those of a preview: they look alike, and change nothing for the contact.
 */
export async function sendTestMail(
  context: MailerContext,
  { templateSlug, to, isMarked = false, ...request }: TestMailRequest
): Promise<TestMailResult> {
  if (!isMailable(to))
    return { ok: false, code: 'validation_failed', message: 'to must be an email address.' }
  const preview = await previewTemplate(context, templateSlug, { ...request, reason: 'test' })
  if (!preview.ok) return preview
  const { template } = preview
  const { config, providers } = context
  const names = { template: template.providerOverride, kind: template.kind }
  const choice = chooseProvider(names, config, providers)
  if ('unknown' in choice) return failed(`The provider ${choice.unknown} is not configured.`)
  const id = randomUUID()
  const plain = testMessage(preview, to)
  const message = isMarked ? { ...plain, subject: `${TEST_MARK} ${plain.subject}` } : plain
  const outcome = await callProvider(choice.name, choice.provider, message, {
    messageId: messageIdOf(id, message),
    idempotencyKey: id,
    signal: new AbortController().signal
  })
  if (outcome.kind === 'accepted') return { ok: true, providerId: outcome.providerMessageId }
  return failed(outcome.kind === 'failed' ? messageOf(outcome.error) : outcome.reason)
}

/** Before the subject of a marked test mail; the same in every language, so that filters find it. */
const TEST_MARK = '[Test]'

const messageIdOf = (id: string, { fromEmail }: ProviderMessage) =>
  `<test.${id}@${domainOf(fromEmail)}>`

function testMessage(
  { mail, template }: Extract<PreviewResult, { readonly ok: true }>,
  to: string
): ProviderMessage {
  return {
    to: normalAddress(to),
    fromName: mail.fromName,
    fromEmail: mail.fromEmail,
    ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
    subject: mail.subject,
    ...(mail.html !== '' && template.bodyFormat !== 'text_only' && { html: mail.html }),
    text: mail.text,
    headers: listHeaders(mail.unsubscribeUrl, template.category, domainOf(mail.fromEmail))
  }
}

/**
 * The mail that the sample contact would get, as its bytes. Its links look alike and change nothing.
 *
 * @throws MLR_TEST_MAIL, with the reason
 */
export async function sampleMessage(
  context: MailerContext,
  slug: string,
  version: TemplateVersion
): Promise<Uint8Array> {
  const useDraft = version === 'draft'
  const preview = await previewTemplate(context, slug, { useDraft, reason: 'test' })
  if (!preview.ok) throw errors.MLR_TEST_MAIL({ slug, problem: preview.message })
  const message = testMessage(preview, preview.contact.email)
  const messageId = messageIdOf(randomUUID(), message)
  return composeMail(message, { messageId, date: context.clock.now() })
}

/**
 * As `sendTestMail`, for code.
 *
 * @throws MLR_TEST_MAIL, with the reason
 */
export async function sendTest(
  context: MailerContext,
  { templateSlug, to, version = 'published', externalId }: TestMail
): Promise<{ readonly providerId: string }> {
  const contact = externalId === undefined ? {} : { contactId: externalId }
  const useDraft = version === 'draft'
  const result = await sendTestMail(context, { templateSlug, to, useDraft, ...contact })
  if (result.ok) return { providerId: result.providerId }
  throw errors.MLR_TEST_MAIL({ slug: templateSlug, problem: result.message })
}

const failed = (message: string) => ({ ok: false, code: 'provider_failed', message }) as const
