// Publishes a draft, or an earlier version once more: checked, compiled, past the gates, then in one transaction.
import type { PublishRefusal } from '../../contracts/mailer-publish-gate.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Acting } from '../../ledger/template-input.ts'
import type { TemplateFields, TemplateRow } from '../../ledger/template-rows.ts'
import { type GatedPublish, publishRefusal, publishReports } from './ask-publish-gates.ts'
import type { CompileWarning } from './compile-body.ts'
import { type CompiledTemplate, compileTemplate } from './compile-template.ts'
import { compilerOf } from './compiler-of.ts'
import {
  changeRow,
  conflict,
  draftConflict,
  noteChange,
  notFound,
  type TemplateConflict,
  type TemplateNotFound
} from './edit-template.ts'
import { editedFields, fieldsOf } from './plan-draft.ts'
import { contentOf, getVersion } from './read-templates.ts'
import { type TemplateFault, templateFault } from './template-faults.ts'

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
  | TemplateNotFound
  | TemplateConflict
  | TemplateFault
  | { readonly ok: false; readonly code: 'compile_failed'; readonly message: string }
  | {
      readonly ok: false
      readonly code: 'gate_refused'
      readonly message: string
      readonly refusal: PublishRefusal
    }
  | { readonly ok: false; readonly code: 'version_not_found'; readonly message: string }

/** Publishes the draft as the next version. `ifRevision`: only when the template has this revision. */
export async function publishTemplate(
  context: MailerContext,
  slug: string,
  { ifRevision, ...request }: PublishRequest & { readonly ifRevision?: number }
): Promise<PublishResult> {
  const row = await context.collections.templates.findOne({ slug })
  if (row === null) return notFound(slug)
  if (ifRevision !== undefined && ifRevision !== row.revision) return draftConflict(slug)
  const { notes: _notes, ...fields } = editedFields(row)
  return publishFields(context, row, { fields, request, action: 'publish', draft: null })
}

/** Publishes the content of an earlier version as the next one. The draft stays. */
export async function rollbackTemplate(
  context: MailerContext,
  slug: string,
  version: number,
  request: PublishRequest
): Promise<PublishResult> {
  const row = await context.collections.templates.findOne({ slug })
  if (row === null) return notFound(slug)
  const earlier = await getVersion(context, slug, version)
  if (earlier === null) {
    const message = `The template ${slug} has no version ${version}`
    return { ok: false, code: 'version_not_found', message }
  }
  const fields = fieldsOf(earlier)
  return publishFields(context, row, { fields, request, action: 'rollback', draft: row.draft })
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
  const { compiled } = checked
  const version = await writeVersion(context, row, { ...publish, compiled })
  if (version === undefined) return conflict(row.slug)
  return published(context, checked, version)
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
  const result = await compileTemplate(fields, compilerOf(context))
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

/** Version, pointer and audit entry together. Undefined when the template changed meanwhile. */
export async function writeVersion(
  context: MailerContext,
  row: TemplateRow,
  { fields, compiled, draft, request, action }: Publish & { readonly compiled: CompiledTemplate }
): Promise<number | undefined> {
  const { slug } = row
  const version = row.version + 1
  const publishing = {
    version,
    publishedAt: context.clock.now(),
    publishedBy: request.publishedBy ?? request.actor
  }
  const { html: compiledHtml, text: compiledText, bodyHash } = compiled
  const { options: _options, publishedBy: _publishedBy, ...acting } = request
  const isWritten = await changeRow(
    context,
    row,
    { ...fields, ...publishing, draft },
    async (session) => {
      await context.collections.templateVersions.insertOne(
        {
          _id: `${slug}:${version}`,
          slug,
          ...fields,
          ...publishing,
          compiledHtml,
          compiledText,
          bodyHash
        },
        { session }
      )
      const [before, after] = [{ version: row.version }, { version, bodyHash }]
      await noteChange(context, { ...acting, action, slug, before, after }, session)
    }
  )
  return isWritten ? version : undefined
}
