// Publishes a whole template document: makes the template, or replaces what is published.

import { type Static, Type } from '@keelson/sdk'
import { readDocument, refuse } from '@keelson/sdk/versions'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { draftChangeSchema } from '../../ledger/template-input.ts'
import type { TemplateFields, TemplateRow } from '../../ledger/template-rows.ts'
import { insertTemplate, newRow } from './edit-template.ts'
import { emptyFields } from './plan-draft.ts'
import {
  checkPublish,
  type PublishFailure,
  type PublishRequest,
  type PublishResult,
  published,
  writeVersion
} from './publish-template.ts'
import { versionedTemplate } from './versioned-template.ts'

const { html, mjml, plainText, editorJson, notes: _notes, ...head } = draftChangeSchema.properties
const required = Type.Required(
  Type.Pick(draftChangeSchema, ['name', 'kind', 'subject', 'fromName', 'fromEmail'])
)

/** A template as a whole. What is left out has the default of a new template. */
export const templateDocumentSchema = Type.Object(
  {
    ...head,
    ...required.properties,
    body: Type.Object(
      { html: Type.String({ minLength: 1, maxLength: 2_000_000 }), mjml, plainText, editorJson },
      { additionalProperties: false }
    ),
    publishedBy: Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))
  },
  { additionalProperties: false }
)

/** A template as a whole. */
export type TemplateDocument = Static<typeof templateDocumentSchema>

/** What it came to. */
export type PutResult =
  | (Extract<PublishResult, { readonly ok: true }> & {
      readonly created: boolean
      readonly template: TemplateRow
    })
  | PublishFailure

/** Others may write the same slug at the same moment. */
const MOST_TRIES = 5

/**
 * Publishes a document under a slug. Counters and `createdAt` of a template that is there stay; its draft
 * is dropped. The same gates are asked as by `publishTemplate`, before anything is written.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function putTemplate(
  context: MailerContext,
  slug: string,
  input: unknown,
  request: PublishRequest
): Promise<PutResult> {
  checkedInput('putTemplate', inputs.slug, slug)
  const document = checkedInput('putTemplate', templateDocumentSchema, input)
  const fields = fieldsOfDocument(context, document)
  const checked = await checkPublish(context, slug, { fields, request })
  if (!checked.ok) return checked
  const { compiled } = checked
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = await readDocument(context, versionedTemplate, slug)
    const row = known ?? (await made(context, slug, fields, request))
    if (row === null) continue
    const publish = { fields, request, action: 'publish', draft: null, compiled } as const
    const written = await writeVersion(context, row, publish)
    if (!written.ok) continue
    const { row: template } = written
    const answer = await published(context, checked, template.version)
    return { ...answer, created: known === null, template }
  }
  return refuse('conflict', `The template ${slug} was changed at the same moment. Try again.`)
}

/** null when another process inserted it first. */
async function made(
  context: MailerContext,
  slug: string,
  fields: TemplateFields,
  { options: _options, publishedBy: _publishedBy, ...acting }: PublishRequest
): Promise<TemplateRow | null> {
  const result = await insertTemplate(context, newRow(context, slug, fields), acting)
  return result.ok ? result.template : null
}

function fieldsOfDocument({ config }: MailerContext, document: TemplateDocument): TemplateFields {
  const { body, publishedBy: _publishedBy, ...given } = document
  const empty = emptyFields(given.name, given.kind, config)
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  return {
    ...empty,
    ...Object.fromEntries(entries),
    body: { ...empty.body, ...body, editorJson: body.editorJson ?? null }
  }
}
