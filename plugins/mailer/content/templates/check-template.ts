// What publishing a template would answer, with changes that are not saved: for an editor, as its user types.
import { unknown, type VersionRefusal } from '@keelson/sdk/versions'
import { bodySource } from '../../ledger/body-source.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Acting } from '../../ledger/template-input.ts'
import type { TemplateDraft, TemplateFields, VariableSpec } from '../../ledger/template-rows.ts'
import { brandFields } from '../brands/keep-brands.ts'
import { publishReports } from './ask-publish-gates.ts'
import type { CompileWarning } from './compile-body.ts'
import { type DraftChange, unsavedDraft } from './plan-draft.ts'
import { checkPublish, type PublishFailure } from './publish-template.ts'
import { getTemplate } from './read-templates.ts'
import { referencedPaths } from './referenced-paths.ts'

/** A value that a template prints, or that its variables declare. */
export interface TemplateVariable {
  /** As `contact.fields.name` or `vars.code`. */
  readonly path: string
  readonly isUsed: boolean
  /** Of a declared variable. */
  readonly spec?: VariableSpec
}

/** What publishing would answer. */
export interface TemplateCheck {
  readonly ok: true
  /** Why it would be refused: of the mailer or of a gate, as `lint_failed` with `lint`. */
  readonly refusal: Readonly<Record<string, unknown>> | null
  readonly warnings: readonly CompileWarning[]
  /** What gates add, as `lint`. */
  readonly reports: Readonly<Record<string, unknown>>
  readonly variables: readonly TemplateVariable[]
}

/** Writes nothing. */
export async function checkTemplate(
  context: MailerContext,
  slug: string,
  change: DraftChange,
  acting: Acting
): Promise<TemplateCheck | VersionRefusal<'not_found'>> {
  const row = await getTemplate(context, slug)
  if (row === null) return unknown('template', slug)
  const draft = unsavedDraft(row, change)
  const { notes: _notes, ...fields } = draft
  const variables = variablesOf(await brandFields(context, fields))
  const checked = await checkPublish(context, slug, { fields, request: acting })
  if (!checked.ok)
    return { ok: true, refusal: refusalOf(checked), warnings: [], reports: {}, variables }
  const reports = await publishReports(context, checked.gated)
  return { ok: true, refusal: null, warnings: checked.compiled.warnings, reports, variables }
}

const refusalOf = (failure: PublishFailure): Readonly<Record<string, unknown>> =>
  failure.code === 'gate_refused'
    ? { ...failure.refusal }
    : { error: failure.code, message: failure.message }

/** What is used, in the order of the template, then what is declared and not used. Pure. */
export function variablesOf({
  subject,
  preheader,
  body,
  variablesSchema
}: Pick<
  TemplateDraft & TemplateFields,
  'subject' | 'preheader' | 'body' | 'variablesSchema'
>): readonly TemplateVariable[] {
  const source = bodySource(body)
  const sources = [subject, preheader, source.ok ? source.source : '', body.plainText]
  const used = new Set(sources.flatMap((text) => referencedPaths(text)))
  const specs = new Map(
    Object.entries(variablesSchema).map(([name, spec]) => [`vars.${name}`, spec])
  )
  const all = [...new Set([...used, ...specs.keys()])]
  return all.map((path) => {
    const spec = specs.get(path)
    return { path, isUsed: used.has(path), ...(spec && { spec }) }
  })
}
