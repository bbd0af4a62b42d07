// Templates for agents: publish a whole document, render it for a contact.
import {
  actingOf,
  type PreviewRequest,
  previewTemplate,
  putTemplate,
  templateDocumentSchema,
  templateSchema
} from '@keelson/mailer'
import { answered, type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import {
  type AgentHost,
  access,
  contactIdInput,
  DOCUMENT_BYTES,
  slugParams,
  valuesInput
} from '../agent-host.ts'
import { ERROR_DOCS } from '../answers/error-docs.ts'
import { refusals } from '../answers/refusals.ts'
import {
  contactReferenceSchema,
  flag,
  integer,
  maybeText,
  text,
  values
} from '../answers/shapes.ts'
import type { Boundary } from '../boundary/test-contacts.ts'
import { contactReference } from './contact-guard.ts'

/** What a template is rendered with. */
export const renderBody = Type.Object(
  {
    contactId: Type.Optional(contactIdInput),
    sampleContact: Type.Optional(
      Type.Object(
        {
          externalId: Type.Optional(contactIdInput),
          email: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100 })),
          fields: Type.Optional(valuesInput)
        },
        closed
      )
    ),
    eventProperties: Type.Optional(valuesInput),
    vars: Type.Optional(valuesInput)
  },
  closed
)

/** Links of test contacts really work; those of all others look alike and change nothing. */
export const linksOf = ({ isTestContact }: Boundary): Pick<PreviewRequest, 'worksFor'> => ({
  worksFor: (email) => isTestContact(email) === true
})

const { body: _body, draft: _draft, ...published } = templateSchema.properties
const lintIssues = Type.Array(Type.Unknown({ description: 'As the linter reports it.' }))

const put = operation({
  id: 'agent.templates.put',
  method: 'PUT',
  path: '/templates/:slug',
  summary: 'Publishes a template document: makes it, or replaces what is published',
  tool: 'put_template',
  agent: true,
  access: access.write,
  effect: 'change',
  hints: { destructive: true, idempotent: true },
  params: slugParams,
  body: templateDocumentSchema,
  bodyLimit: DOCUMENT_BYTES,
  status: [200, 201],
  answer: Type.Object({
    slug: text,
    created: flag,
    lint: Type.Object({ warnings: lintIssues, infos: lintIssues }),
    template: Type.Object(published, { title: 'AgentTemplate' })
  }),
  errors: refusals.only(
    'not_found',
    'version_not_found',
    'conflict',
    'draft_conflict',
    'category_unknown',
    'provider_unknown',
    'reply_to_invalid',
    'sender_domain_invalid',
    'compile_failed',
    'gate_refused'
  ),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const acting = actingOf(actor)
    const { publishedBy = acting.actor } = body
    const result = await putTemplate(host.context, slug, body, { ...acting, publishedBy })
    if (!result.ok) return result.code === 'gate_refused' ? gateRefusal(result.refusal) : result
    const { created, template, reports } = result
    const { warnings = [], infos = [] } = (reports['lint'] ?? {}) as {
      readonly warnings?: readonly unknown[]
      readonly infos?: readonly unknown[]
    }
    const answer = { slug, created, lint: { warnings, infos }, template }
    return answered(answer, { status: created ? 201 : 200 })
  }
})

/** A gate answers in its own words. */
function gateRefusal(refusal: { readonly error: string; readonly message: string }) {
  const { error: code, message } = refusal
  const { fix = refusals.table.gate_refused.fix } = ERROR_DOCS.get(code) ?? {}
  return refusals.refuse('gate_refused', { message, fix, more: { ...refusal, code } })
}

const render = operation({
  id: 'agent.templates.render',
  method: 'POST',
  path: '/templates/:slug/render',
  summary: 'Renders the published version for a contact',
  tool: 'render_template',
  agent: true,
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: renderBody,
  bodyLimit: DOCUMENT_BYTES,
  answer: Type.Object(
    {
      template: Type.Object({ slug: text, kind: text, version: integer }),
      contact: contactReferenceSchema,
      subject: text,
      preheader: text,
      fromName: text,
      fromEmail: text,
      replyTo: maybeText,
      html: text,
      plainText: text,
      resolvedVars: values,
      unsubscribeUrl: maybeText
    },
    { title: 'AgentRendering' }
  ),
  errors: refusals.only(
    'template_not_found',
    'contact_not_found',
    'not_published',
    'compile_failed',
    'vars_resolve_failed'
  ),
  async run({ params: { slug }, body }, { host }: Call<AgentHost>) {
    const request = { ...body, ...linksOf(host.boundary), useDraft: false, reason: 'test' } as const
    const result = await previewTemplate(host.context, slug, request as PreviewRequest)
    if (!result.ok) {
      const { message } = result
      return result.code === 'not_found'
        ? refusals.refuse('template_not_found', { message })
        : result
    }
    const { mail, contact, template, roots: resolvedVars } = result
    const { text: plainText, ...shown } = mail
    return {
      template: { slug, kind: template.kind, version: template.version },
      contact: contactReference(contact),
      ...shown,
      plainText,
      resolvedVars
    }
  }
})

/** Below `/templates`. */
export const templateOperations: readonly Operation<AgentHost>[] = [put, render]
