// Publishes a draft, or an earlier version once more: checked, compiled, past the gates, then in one transaction.
import {
  type Change,
  type Changed,
  type Clash,
  changeDocument,
  clashRefusal,
  contentAt,
  isUnchanged,
  readDocument,
  storedDraft,
  unknown,
  unknownVersion,
  type VersionRefusal
} from '@keelson/sdk/versions'
import type { PublishRefusal } from '../../contracts/mailer-publish-gate.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { Acting } from '../../ledger/template-input.ts'
import type { TemplateFields, TemplateRow, TemplateVersionRow } from '../../ledger/template-rows.ts'
import { brandFields } from '../brands/keep-brands.ts'
import { type GatedPublish, publishRefusal, publishReports } from './ask-publish-gates.ts'
import type { CompileWarning } from './compile-body.ts'
import { type CompiledTemplate, compileTemplate } from './compile-template.ts'
import { compilerOf } from './compiler-of.ts'
import { CLEARABLE, fieldsOf } from './plan-draft.ts'
import { contentOf, getVersion } from './read-templates.ts'
import { type TemplateFault, templateFault } from './template-faults.ts'
import { versionedTemplate } from './versioned-template.ts'

/** Who publishes, and what the request said. */
export interface PublishRequest extends Acting {
  /** For gates, as `{ bypassContentScorer: true }`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Shown with the version. Default: the actor. */
  readonly publishedBy?: string
}

/** What publishing came to. */
export type PublishResult =
  | {
      readonly ok: true
      readonly version: number
      readonly warnings: readonly CompileWarning[]
      /** What gates add to the answer. */
      readonly reports: Readonly<Record<string, unknown>>
    }
  | VersionRefusal<'not_found' | 'version_not_found' | Clash>
  | TemplateFault
  | { readonly ok: false; readonly code: 'compile_failed'; readonly message: string }
  | {
      readonly ok: false
      readonly code: 'gate_refused'
      readonly message: string
      readonly refusal: PublishRefusal
    }

/**
 * Publishes the draft as the next version; without changes since the last one there is no new version.
 * `ifRevision`: only when the template has this revision.
 */
export async function publishTemplate(
  context: MailerContext,
  slug: string,
  { ifRevision, ...request }: PublishRequest & { readonly ifRevision?: number }
): Promise<PublishResult> {
  const row = await readDocument(context, versionedTemplate, slug)
  if (row === null) return unknown('template', slug)
  const clash = clashRefusal('template', row, defined({ ifRevision }))
  if (clash !== undefined) return clash
  const fields = versionedTemplate.editedOf(row)
  return publishFields(context, row, { fields, request, action: 'publish', draft: null })
}

/** Publishes the content of an earlier version as the next one. The draft stays. */
export async function rollbackTemplate(
  context: MailerContext,
  slug: string,
  version: number,
  request: PublishRequest
): Promise<PublishResult> {
  const row = await readDocument(context, versionedTemplate, slug)
  if (row === null) return unknown('template', slug)
  const fields = await contentAt(context, versionedTemplate, row, version)
  if (fields == null) return unknownVersion('template', slug, version)
  const draft = row.draft && storedDraft(row, fields, row.draft)
  return publishFields(context, row, { fields, request, action: 'rollback', draft })
}

/** What is published. */
export interface Publish {
  readonly fields: TemplateFields
  readonly request: PublishRequest
  readonly action: 'publish' | 'rollback'
  /** What stays to be edited. */
  readonly draft: TemplateRow['draft']
}

async function publishFields(
  context: MailerContext,
  row: TemplateRow,
  publish: Publish
): Promise<PublishResult> {
  const checked = await checkPublish(context, row.slug, publish)
  if (!checked.ok) return checked
  const written = await writeVersion(context, row, { ...publish, compiled: checked.compiled })
  return written.ok ? published(context, checked, written.row.version) : written
}

/** Fields that may be published: compiled, and past the gates. */
export interface CheckedPublish {
  readonly ok: true
  readonly compiled: CompiledTemplate
  readonly gated: GatedPublish
}

/** Why a template is not published. */
export type PublishFailure = Extract<PublishResult, { readonly ok: false }>

/** Compiles fields and asks the gates. Writes nothing. */
export async function checkPublish(
  context: MailerContext,
  slug: string,
  { fields, request }: Pick<Publish, 'fields' | 'request'>
): Promise<CheckedPublish | PublishFailure> {
  const fault = templateFault(fields, context.config)
  if (fault !== undefined) return fault
  const result = await compileTemplate(await brandFields(context, fields), compilerOf(context))
  if (!result.ok) return result
  const { compiled } = result
  const template = contentOf(context, fields, { slug, version: 'draft', ...compiled })
  const gated: GatedPublish = { template, actor: request.actor, options: request.options ?? {} }
  const refusal = await publishRefusal(context, gated)
  if (refusal !== undefined) {
    return { ok: false, code: 'gate_refused', message: refusal.message, refusal }
  }
  return { ok: true, compiled, gated }
}

/** What a publish answers once it is written. */
export async function published(
  context: MailerContext,
  { compiled, gated }: CheckedPublish,
  version: number
): Promise<Extract<PublishResult, { readonly ok: true }>> {
  const reports = await publishReports(context, gated)
  return { ok: true, version, warnings: compiled.warnings, reports }
}

/** Version, pointer and audit entry together, unless the template changed since the row was read. */
export function writeVersion(
  context: MailerContext,
  { slug, revision }: TemplateRow,
  { fields, compiled, draft, request, action }: Publish & { readonly compiled: CompiledTemplate }
): Promise<Changed<TemplateRow>> {
  const { options: _options, publishedBy, ...acting } = request
  const { html: compiledHtml, text: compiledText, bodyHash } = compiled
  const write = { ...acting, action: `template.${action}`, since: revision }
  const kind = versionedTemplate
  const decide = async (row: TemplateRow): Promise<Change<TemplateRow>> => {
    if (await isPublished(context, row, { fields, bodyHash }))
      return { ok: true, set: row.draft === draft ? {} : { draft } }
    return {
      ok: true,
      set: { ...fields, draft },
      unset: CLEARABLE.filter((key) => !(key in fields)),
      publish: {
        by: publishedBy ?? request.actor,
        stored: { ...fields, compiledHtml, compiledText, bodyHash }
      },
      entry: { before: { version: row.version }, after: { version: row.version + 1, bodyHash } }
    }
  }
  return changeDocument<TemplateRow, TemplateVersionRow, TemplateFields, MailerContext, Acting>(
    context,
    kind,
    slug,
    write,
    decide
  )
}

/** Whether this is live already. The same fields may compile to another body than they did then. */
async function isPublished(
  context: MailerContext,
  row: TemplateRow,
  { fields, bodyHash }: { readonly fields: TemplateFields; readonly bodyHash: string }
): Promise<boolean> {
  if (!isUnchanged(row, fieldsOf(row), fields)) return false
  return (await getVersion(context, row.slug, row.version))?.bodyHash === bodyHash
}
