// A mail as providers get it, for tests.
import type { ProviderMessage, ProviderSend } from '../../contracts/mailer-provider.ts'

export const SEND_ID = '0123456789abcdef01234567'

export const sampleMail: ProviderMessage = {
  to: 'ann@example.test',
  fromName: 'Acme, Inc.',
  fromEmail: 'hello@acme.test',
  replyTo: 'help@acme.test',
  subject: 'Grüße aus Köln',
  html: '<p>Hello <b>Ann</b></p>',
  text: 'Hello Ann\nBye\n',
  headers: {
    'List-Unsubscribe': '<https://mail.acme.test/m/u/abc>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
  },
  messageMeta: { sendId: SEND_ID }
}

export const sampleFiles = [
  { filename: 'invoice.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') },
  {
    filename: 'logo.png',
    contentType: 'image/png',
    content: Buffer.from([137, 80, 78, 71]),
    contentId: 'logo'
  }
] as const

export function sampleSend(more: Partial<ProviderSend> = {}): ProviderSend {
  return {
    messageId: `<${SEND_ID}.1@acme.test>`,
    idempotencyKey: SEND_ID,
    signal: new AbortController().signal,
    ...more
  }
}
