// Templates for agents: publish a whole document, render it for a contact.
import { previewTemplate, putTemplate, templateDocumentSchema } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import type { MailContact } from '@keelson/sdk/contracts/mailer-core'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { contactReferenceShape, flag, maybeText, object, text } from '../answers/shapes.ts'
import { contactReference } from './contact-guard.ts'
import { answer, type Operation, type OperationAnswer, type OperationCall } from './operation.ts'

const record = Type.Record(Type.String(), Type.Unknown())

/** What a template is rendered with. */
export const renderBody = Type.Object(
  {
    contactId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    sampleContact: Type.Optional(
      Type.Object(
        {
          externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
          email: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100 })),
          fields: Type.Optional(record)
        },
        { additionalProperties: false }
      )
    ),
    eventProperties: Type.Optional(record),
    vars: Type.Optional(record)
  },
  { additionalProperties: false }
)

/** The request of a render as the mailer takes it. */
export function renderRequest(body: OperationCall['body']) {
  return { ...body, useDraft: false, reason: 'test' } as {
    readonly contactId?: string
    readonly sampleContact?: Partial<MailContact>
    readonly vars?: Readonly<Record<string, unknown>>
    readonly useDraft: false
    readonly reason: 'test'
  }
}

async function put(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, params, body, acting } = call
  const slug = params['slug'] ?? ''
  const { publishedBy } = body
  const actor = typeof publishedBy === 'string' && publishedBy !== '' ? publishedBy : acting.actor
  const result = await putTemplate(agent.context, slug, body, { ...acting, publishedBy: actor })
  if (!result.ok) return publishRefusal(result)
  const { created, template, reports } = result
  const { warnings = [], infos = [] } = (reports['lint'] ?? {}) as {
    readonly warnings?: readonly unknown[]
    readonly infos?: readonly unknown[]
  }
  const { body: _body, draft: _draft, ...shown } = template
  return answer({ slug, created, lint: { warnings, infos }, template: shown }, created ? 201 : 200)
}

function publishRefusal(result: {
  readonly code: string
  readonly message: string
  readonly refusal?: { readonly error: string; readonly message: string }
}): Refusal {
  const { refusal } = result
  if (refusal === undefined) return refusedAs(result.code, result.message, { status: 400 })
  const { error, message, ...more } = refusal
  return refusedAs(error, message, { status: 422, more })
}

async function render({ agent, params, body }: OperationCall): Promise<OperationAnswer | Refusal> {
  const slug = params['slug'] ?? ''
  const result = await previewTemplate(agent.context, slug, renderRequest(body))
  if (!result.ok) {
    const { message } = result
    if (result.code === 'not_found') return refused('template_not_found', { message })
    return refusedAs(result.code, message, { status: 422 })
  }
  const { mail, contact, template } = result
  const { text: plainText, ...shown } = mail
  return answer({
    template: { slug, kind: template.kind, version: template.version },
    contact: contactReference(contact),
    ...shown,
    plainText,
    resolvedVars: result.roots
  })
}

/** Below `/templates`. */
export const templateOperations: readonly Operation[] = [
  {
    tool: 'put_template',
    method: 'PUT',
    path: '/templates/:slug',
    summary: 'Publishes a template document: makes it, or replaces what is published',
    scope: 'mail:write',
    output: Type.Object({ slug: text, created: flag, lint: object, template: object }),
    hints: { destructive: true, idempotent: true },
    body: templateDocumentSchema,
    run: put
  },
  {
    tool: 'render_template',
    method: 'POST',
    path: '/templates/:slug/render',
    summary: 'Renders the published version for a contact',
    scope: 'mail:read',
    output: Type.Object({
      template: object,
      contact: contactReferenceShape,
      subject: text,
      html: text,
      plainText: text,
      resolvedVars: object,
      unsubscribeUrl: maybeText
    }),
    body: renderBody,
    run: render
  }
]
