// What the operations of templates answer, written for their readers.
import { Type } from '@keelson/sdk'
import { draftChangeSchema } from '../ledger/template-input.ts'
import type { TemplateFields, VariableSpec } from '../ledger/template-rows.ts'
import { time } from './admin-operation.ts'

const optional = Type.Optional
const nullableText = Type.Union([Type.String(), Type.Null()])
const kind = Type.Enum(['marketing', 'transactional'])

const head = {
  name: Type.String(),
  description: optional(Type.String()),
  kind,
  category: optional(Type.String()),
  tags: Type.Array(Type.String()),
  providerOverride: optional(Type.String()),
  providerPatienceHours: optional(Type.Number()),
  subject: Type.String(),
  preheader: Type.String(),
  fromName: Type.String(),
  fromEmail: Type.String(),
  replyTo: nullableText,
  bodyFormat: Type.Enum(['multipart', 'text_only']),
  trackOpens: Type.Boolean(),
  trackClicks: Type.Boolean()
}

const content = {
  ...head,
  variablesSchema: Type.Unsafe<Readonly<Record<string, VariableSpec>>>(
    draftChangeSchema.properties.variablesSchema
  ),
  body: Type.Unsafe<TemplateFields['body']>(
    Type.Object({
      html: Type.String(),
      plainText: Type.String(),
      mjml: Type.String(),
      editorJson: Type.Unknown()
    })
  )
}

const state = {
  slug: Type.String(),
  revision: Type.Integer({ description: 'For `If-Match` of the next change.' }),
  version: Type.Integer({ description: '0 until it is published.' }),
  publishedAt: optional(time),
  publishedBy: optional(Type.String()),
  stats: Type.Object({
    sent: Type.Integer(),
    delivered: Type.Integer(),
    opened: Type.Integer(),
    clicked: Type.Integer()
  }),
  createdAt: time,
  updatedAt: time
}

/** A template with its published content and its draft. */
export const templateSchema = Type.Object(
  {
    ...state,
    ...content,
    draft: Type.Union([
      Type.Object({ ...content, notes: optional(Type.String()) }, { title: 'TemplateDraft' }),
      Type.Null()
    ])
  },
  { title: 'Template' }
)

const { body: _body, ...headOfContent } = content

/** A template that was put as a whole: what is published, without its body. */
export const putTemplateSchema = Type.Object(
  {
    created: Type.Boolean(),
    template: Type.Object({ ...state, ...headOfContent }, { title: 'PutTemplate' }),
    reports: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What gates add, as `lint`.'
    })
  },
  { title: 'TemplatePut' }
)

/** A template in a list. */
export const templateLineSchema = Type.Object(
  { ...state, ...head, hasDraft: Type.Boolean() },
  { title: 'TemplateLine' }
)

/** A published version in a list. */
export const templateVersionLineSchema = Type.Object(
  {
    version: Type.Integer(),
    subject: Type.String(),
    bodyHash: Type.String(),
    publishedAt: time,
    publishedBy: Type.String()
  },
  { title: 'TemplateVersionLine' }
)

/** A version as it was published, compiled; slots are still there. */
export const templateVersionSchema = Type.Object(
  {
    ...templateVersionLineSchema.properties,
    slug: Type.String(),
    ...content,
    compiledHtml: Type.String(),
    compiledText: Type.String()
  },
  { title: 'TemplateVersion' }
)

const warnings = Type.Array(
  Type.Object(
    {
      message: Type.String(),
      line: optional(Type.Integer()),
      tagName: optional(Type.String()),
      formattedMessage: optional(Type.String())
    },
    { title: 'CompileWarning' }
  )
)

/** A template rendered for a contact. */
export const templatePreviewSchema = Type.Object(
  {
    subject: Type.String(),
    preheader: Type.String(),
    html: Type.String(),
    plainText: Type.String(),
    fromName: Type.String(),
    fromEmail: Type.String(),
    replyTo: nullableText,
    contact: Type.Object({ externalId: Type.String(), email: Type.String() }),
    variables: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'As `contact.fields.name`.' }),
          value: optional(
            Type.String({
              description: 'At most 200 characters; left out for addresses of one mail.'
            })
          ),
          isMissing: Type.Boolean({ description: 'Nothing would be printed.' })
        },
        { title: 'VariableValue' }
      )
    ),
    warnings
  },
  { title: 'TemplatePreview' }
)

/** What publishing would answer. */
export const templateCheckSchema = Type.Object(
  {
    refusal: Type.Unknown({
      description: 'null: it would be published. Else the answer, with what a gate adds.'
    }),
    warnings,
    reports: Type.Unknown({ description: 'What gates add to a publish, as `lint`.' }),
    variables: Type.Array(
      Type.Object({
        path: Type.String(),
        isUsed: Type.Boolean(),
        spec: optional(Type.Unknown())
      })
    )
  },
  { title: 'TemplateCheck' }
)

/** What sends a template. */
export const templateUseSchema = Type.Object(
  {
    kind: Type.String({
      description: '`flow`, `broadcast`, or what another plugin calls its campaigns.'
    }),
    slug: Type.String(),
    name: Type.String()
  },
  { title: 'TemplateUse' }
)

/** What a publish answers; gates add fields, as `lint`. */
export const publishedSchema = Type.Object(
  { ok: Type.Literal(true), version: Type.Integer(), warnings },
  { title: 'TemplatePublished', additionalProperties: true }
)
