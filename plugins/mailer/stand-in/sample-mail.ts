// A mail and a template with every field, for tests that name only the fields they are about.
import type { GatedSend, TemplateContent } from '../contracts/index.ts'

/** A marketing mail, with the given fields. */
export function sampleSend(fields: Partial<GatedSend> = {}): GatedSend {
  return {
    sendId: 'send-1',
    externalId: 'contact-1',
    to: 'ada@example.net',
    recipientDomain: 'example.net',
    kind: 'marketing',
    senderDomain: 'mail.example.com',
    fromEmail: 'news@mail.example.com',
    provider: 'stand-in',
    templateSlug: 'newsletter',
    broadcastSlug: null,
    flowSlug: null,
    subject: 'Hello',
    text: 'Hello Ada',
    ...fields
  }
}

/** A published marketing template, with the given fields. */
export function sampleTemplate(fields: Partial<TemplateContent> = {}): TemplateContent {
  return {
    slug: 'newsletter',
    name: 'Newsletter',
    kind: 'marketing',
    version: 'published',
    subject: 'Hello',
    preheader: '',
    fromName: 'Example',
    fromEmail: 'news@mail.example.com',
    replyTo: null,
    html: '',
    text: 'Hello',
    bodyFormat: 'multipart',
    source: { html: fields.html ?? '', mjml: null, editorJson: null },
    bodyHash: '0'.repeat(64),
    tags: [],
    ...fields
  }
}
