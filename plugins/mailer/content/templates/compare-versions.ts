// Compares two versions of a template, or its draft with what is published.
import { changesBetween, type FieldChange } from '../../ledger/changes-between.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { TemplateFields, TemplateRow } from '../../ledger/template-rows.ts'
import { notFound, type TemplateNotFound } from './edit-template.ts'
import { editedFields, fieldsOf } from './plan-draft.ts'
import { getTemplate, getVersion } from './read-templates.ts'

/** What comparing came to. */
export type Comparison =
  | { readonly ok: true; readonly changes: readonly FieldChange[] }
  | TemplateNotFound
  | { readonly ok: false; readonly code: 'version_not_found'; readonly message: string }

/** A state of a template: a version, or its draft. */
export type ComparedState = number | 'draft' | 'published'

/** Changes of the fields that publishing takes over. A template that was never published begins empty. */
export async function compareTemplate(
  context: MailerContext,
  slug: string,
  [from, to]: readonly [ComparedState, ComparedState]
): Promise<Comparison> {
  const row = await getTemplate(context, slug)
  if (row === null) return notFound(slug)
  const [before, after] = await Promise.all([
    stateOf(context, row, from),
    stateOf(context, row, to)
  ])
  if (before !== null && after !== null) return { ok: true, changes: changesBetween(before, after) }
  const missing = before === null ? from : to
  const message = `The template ${slug} has no version ${missing}`
  return { ok: false, code: 'version_not_found', message }
}

async function stateOf(
  context: MailerContext,
  row: TemplateRow,
  state: ComparedState
): Promise<object | null> {
  if (state === 'draft') return flat(editedFields(row))
  if (state === 'published' && row.version === 0) return {}
  const version = await getVersion(context, row.slug, state === 'published' ? row.version : state)
  return version === null ? null : flat(fieldsOf(version))
}

/** The sources of the body as fields, and empty texts as missing ones. */
function flat(fields: TemplateFields): object {
  const { body, ...head } = fields
  const sources = Object.entries(body).map(([name, value]) => [`body.${name}`, value] as const)
  const all = [...Object.entries(head), ...sources]
  return Object.fromEntries(all.filter(([, value]) => value !== '' && value !== null))
}
