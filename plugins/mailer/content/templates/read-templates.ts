// Reads templates and their versions, for people and programs.
import { listVersionsOf, readDocument, readVersionOf } from '@keelson/sdk/versions'
import type {
  CompiledChange,
  TemplateChange,
  TemplateContent,
  TemplateVersion
} from '../../contracts/mailer-core.ts'
import { senderOf } from '../../delivery/sends/compose-mail.ts'
import { errors } from '../../errors.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { TemplateFields, TemplateRow, TemplateVersionRow } from '../../ledger/template-rows.ts'
import { brandFields } from '../brands/keep-brands.ts'
import { type CompiledTemplate, compileTemplate } from './compile-template.ts'
import { compilerOf } from './compiler-of.ts'
import { editedFields, unsavedDraft } from './plan-draft.ts'
import { versionedTemplate } from './versioned-template.ts'

/** A template in a list: without its body and its variables. */
export type TemplateSummary = Omit<TemplateRow, 'body' | 'draft' | 'variablesSchema'> & {
  readonly hasDraft: boolean
}

/** A version in a list. */
export type VersionSummary = Pick<
  TemplateVersionRow,
  'version' | 'subject' | 'bodyHash' | 'publishedAt' | 'publishedBy'
>

const MOST_LISTED = 500

/** Newest-updated first. `limit`: default and maximum 500. */
export async function listTemplates(
  { collections }: Pick<MailerContext, 'collections'>,
  { limit = MOST_LISTED }: { readonly limit?: number } = {}
): Promise<TemplateSummary[]> {
  const most = Math.min(Math.max(limit, 1), MOST_LISTED)
  const projection = { body: 0, variablesSchema: 0, 'draft.body': 0, 'draft.variablesSchema': 0 }
  const rows = await collections.templates
    .find({}, { projection })
    .sort({ updatedAt: -1 })
    .limit(most)
    .toArray()
  return rows.map(({ draft, ...row }) => ({ ...row, hasDraft: draft !== null }))
}

/** Null when the slug is unknown. */
export const getTemplate = (context: MailerContext, slug: string): Promise<TemplateRow | null> =>
  readDocument(context, versionedTemplate, slug)

/** Versions, newest first; `before` goes on after a page. At most 100. */
export function listVersions(
  context: MailerContext,
  slug: string,
  page: { readonly before?: number } = {}
): Promise<readonly VersionSummary[]> {
  const projection = { _id: 0, version: 1, subject: 1, bodyHash: 1, publishedAt: 1, publishedBy: 1 }
  return listVersionsOf(context, versionedTemplate, slug, { ...page, projection })
}

/** One version, as it was published. */
export const getVersion = (
  context: MailerContext,
  slug: string,
  version: number
): Promise<TemplateVersionRow | null> => readVersionOf(context, versionedTemplate, slug, version)

/**
 * Content with its slots, compiled. Null when the slug is unknown or was never published. The draft of a
 * template without changes is what is published.
 *
 * @throws MLR_TEMPLATE_MALFORMED when the draft cannot be compiled
 */
export async function templateContent(
  context: MailerContext,
  slug: string,
  version: TemplateVersion
): Promise<TemplateContent | null> {
  const row = await getTemplate(context, slug)
  if (row === null) return null
  if (version === 'draft') {
    const fields = editedFields(row)
    const result = await compileTemplate(await brandFields(context, fields), compilerOf(context))
    if (!result.ok) throw errors.MLR_TEMPLATE_MALFORMED({ slug, problem: result.message })
    return contentOf(context, fields, { slug, version, ...result.compiled })
  }
  const published = await getVersion(context, slug, row.version)
  if (published === null) return null
  const { compiledHtml: html, compiledText: text, bodyHash } = published
  return contentOf(context, published, { slug, version, html, text, bodyHash })
}

/** The draft with unsaved changes, compiled and not stored; null when the slug is unknown. */
export async function compiledChange(
  context: MailerContext,
  slug: string,
  change: TemplateChange
): Promise<CompiledChange | null> {
  const row = await getTemplate(context, slug)
  if (row === null) return null
  const fields = unsavedDraft(row, change)
  const result = await compileTemplate(await brandFields(context, fields), compilerOf(context))
  const compiled = result.ok ? result.compiled : { html: '', text: '', bodyHash: '' }
  const template = contentOf(context, fields, { slug, version: 'draft', ...compiled })
  return { template, compileError: result.ok ? null : result.message }
}

/** What fields compiled to. */
export interface CompiledContent extends Pick<CompiledTemplate, 'html' | 'text' | 'bodyHash'> {
  readonly slug: string
  readonly version: TemplateVersion
}

/** Fields and what they compiled to, as other plugins see them; with the sender that mails will have. */
export function contentOf(
  { config }: Pick<MailerContext, 'config'>,
  fields: TemplateFields,
  { slug, version, html, text, bodyHash }: CompiledContent
): TemplateContent {
  const { name, kind, subject, preheader, replyTo, bodyFormat, tags, body } = fields
  const declared = Object.keys(fields.variablesSchema)
  const from = senderOf(config, fields)
  const { name: fromName, email: fromEmail } = from ?? { name: fields.fromName, email: '' }
  return {
    slug,
    name,
    kind,
    version,
    subject,
    preheader,
    fromName,
    fromEmail,
    replyTo,
    html,
    text,
    bodyFormat,
    bodyHash,
    tags,
    ...(declared.length > 0 && { variables: declared }),
    source: {
      html: body.html || null,
      mjml: body.mjml || null,
      editorJson: body.editorJson ?? null
    }
  }
}
