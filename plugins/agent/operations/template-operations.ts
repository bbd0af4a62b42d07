// Templates for agents: publish a whole document, render it for a contact.
import type { MailerRefusal, ShownFor } from '@keelson/mailer/contracts'
import {
  answered,
  type Call,
  closed,
  type Operation,
  operation,
  type RefusalTable,
  type Refused,
  Type
} from '@keelson/sdk'
import {
  type AgentHost,
  access,
  contactIdInput,
  DOCUMENT_BYTES,
  slugParams,
  valuesInput
} from '../agent-host.ts'
import type { MailerSchemas } from '../answers/mailer-schemas.ts'
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
import { invalid } from './invalid.ts'

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
export const linksOf = ({ isTestContact }: Boundary): Pick<ShownFor, 'worksFor'> => ({
  worksFor: (email) => isTestContact(email) === true
})

const lintIssues = Type.Array(Type.Unknown({ description: 'As the linter reports it.' }))

const put = (mailer: MailerSchemas) =>
  operation({
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
    body: mailer.body('mailer.templates.put'),
    bodyLimit: DOCUMENT_BYTES,
    status: [200, 201],
    answer: Type.Object({
      slug: text,
      created: flag,
      lint: Type.Object({ warnings: lintIssues, infos: lintIssues }),
      template: mailer.answerField('mailer.templates.put', 'template')
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
      const input = { params: { slug }, body }
      const result = await host.operations.as(actor).call('mailer.templates.put', input)
      if (!result.ok) return putRefusal(result, slug)
      const { created, template, reports } = result.answer
      const { warnings = [], infos = [] } = (reports['lint'] ?? {}) as {
        readonly warnings?: readonly unknown[]
        readonly infos?: readonly unknown[]
      }
      const answer = { slug, created, lint: { warnings, infos }, template }
      return answered(answer, { status: created ? 201 : 200 })
    }
  })

type PutRefusal = Refused<MailerRefusal<'mailer.templates.put'>>

function putRefusal(
  { code, ...refused }: PutRefusal,
  slug: string
): Refused<Exclude<PutRefusal['code'], 'bad_id'>> {
  if (code === 'gate_refused') return gateRefusal({ code, ...refused })
  if (code !== 'bad_id') return { ...refused, code }
  const { message } = invalid('slug', `${JSON.stringify(slug)} is not a slug`)
  return { ...refused, code: 'validation_failed', ...(message !== undefined && { message }) }
}

/** A gate answers in its own words. */
function gateRefusal({ message, more = {} }: PutRefusal) {
  const code = String(more['error'])
  const known: RefusalTable = refusals.table
  const { fix } = (Object.hasOwn(known, code) && known[code]) || refusals.table.gate_refused
  const sentence = message === undefined ? {} : { message }
  return refusals.refuse('gate_refused', { ...sentence, fix, more: { ...more, code } })
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
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const request = { ...body, ...linksOf(host.boundary) } as ShownFor
    const result = await host.workbench.as(actor).show(slug, request)
    if (!result.ok) return result
    const { mail, contact, template, resolvedVars } = result
    const { text: plainText, ...shown } = mail
    return { template, contact: contactReference(contact), ...shown, plainText, resolvedVars }
  }
})

/** Below `/templates`. */
export const templateOperations = (mailer: MailerSchemas): readonly Operation<AgentHost>[] => [
  put(mailer),
  render
]
