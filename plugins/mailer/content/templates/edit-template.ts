// Makes, changes, copies and deletes templates. What a caller can get wrong is a value.

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@keelson/sdk'
import {
  type Change,
  type Clash,
  changeDocument,
  createDocument,
  deleteDocument,
  readDocument,
  storedDraft,
  unknown,
  type VersionRefusal
} from '@keelson/sdk/versions'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type Acting, draftChangeSchema, newTemplateSchema } from '../../ledger/template-input.ts'
import type { TemplateDraft, TemplateFields, TemplateRow } from '../../ledger/template-rows.ts'
import { type DraftChange, editedFields, emptyFields, fieldsOf, planDraft } from './plan-draft.ts'
import { type TemplateFault, templateFault } from './template-faults.ts'
import { type TemplateUse, usesOfTemplate } from './template-uses.ts'
import { versionedTemplate } from './versioned-template.ts'

/** What making a template came to. */
export type TemplateCreated =
  | { readonly ok: true; readonly template: TemplateRow }
  | VersionRefusal<'slug_taken'>

/** Makes a template without content. @throws MLR_INPUT_INVALID */
export async function createTemplate(
  context: MailerContext,
  input: Static<typeof newTemplateSchema>,
  acting: Acting
): Promise<TemplateCreated> {
  const { slug, name, kind, ...more } = checkedInput('createTemplate', newTemplateSchema, input)
  const fields = { ...emptyFields(name, kind, context.config), ...more }
  return insertTemplate(context, newRow(context, slug, fields), acting)
}

/** Makes a template whose draft is what an editor of another one works on. */
export async function duplicateTemplate(
  context: MailerContext,
  slug: string,
  input: { readonly slug: string; readonly name?: string },
  acting: Acting
): Promise<TemplateCreated | VersionRefusal<'not_found'>> {
  const schema = Type.Object({ slug: inputs.slug, name: Type.Optional(Type.String()) })
  const copy = checkedInput('duplicateTemplate', schema, input)
  const source = await readDocument(context, versionedTemplate, slug)
  if (source === null) return unknown('template', slug)
  const edited = editedFields(source)
  const draft = { ...edited, name: copy.name ?? `${edited.name} (copy)`.slice(0, 200) }
  const { body: _body, ...head } = draft
  const fields = { ...emptyFields(draft.name, draft.kind, context.config), ...head }
  const { notes: _notes, ...published } = fields
  return insertTemplate(context, { ...newRow(context, copy.slug, published), draft }, acting)
}

/** A row that was never published. */
export function newRow(
  { clock }: MailerContext,
  slug: string,
  fields: TemplateFields
): TemplateRow {
  const now = clock.now()
  return {
    _id: randomUUID(),
    slug,
    ...fields,
    draft: null,
    revision: 0,
    version: 0,
    stats: { sent: 0, delivered: 0, opened: 0, clicked: 0 },
    createdAt: now,
    updatedAt: now
  }
}

/** Writes a new row with its audit entry. */
export async function insertTemplate(
  context: MailerContext,
  template: TemplateRow,
  acting: Acting
): Promise<TemplateCreated> {
  const { name, kind } = template
  const write = { ...acting, action: 'template.create', after: { name, kind } }
  const created = await createDocument(context, versionedTemplate, template, write)
  return created.ok ? { ok: true, template: created.row } : created
}

/** What changing a draft came to. */
export type DraftChanged =
  | { readonly ok: true; readonly draft: TemplateDraft; readonly revision: number }
  | VersionRefusal<'not_found' | Clash>
  | TemplateFault

/**
 * Changes the draft. The first change of a template without one starts from the published fields; a draft
 * that is what is published is none. `ifRevision`: only when the template has this revision.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function changeDraft(
  context: MailerContext,
  slug: string,
  input: Static<typeof draftChangeSchema>,
  acting: Acting & { readonly ifRevision?: number }
): Promise<DraftChanged> {
  const change = checkedInput('changeDraft', draftChangeSchema, input) as DraftChange
  const write = { ...acting, action: 'template.draft.update' }
  const changed = await changeDocument(
    context,
    versionedTemplate,
    slug,
    write,
    (row): Change<TemplateRow> | TemplateFault => {
      const draft = planDraft(row, change)
      const fault = isCheckedChange(change) ? templateFault(draft, context.config) : undefined
      if (fault !== undefined) return fault
      const stored = storedDraft(row, fieldsOf(row), draft)
      return { ok: true, set: { draft: stored }, entry: changeOf(editedFields(row), draft) }
    }
  )
  if (!changed.ok) return changed
  return { ok: true, draft: editedFields(changed.row), revision: changed.revision }
}

const CHECKED = ['fromEmail', 'kind', 'replyTo', 'category', 'providerOverride'] as const

/** Other changes go through: a domain that is not registered any more is a matter of publishing. */
const isCheckedChange = (change: DraftChange): boolean =>
  CHECKED.some((key) => change[key] !== undefined)

/** The fields that differ, before and after; of a body only which sources do, for its size. */
function changeOf(from: TemplateDraft, to: TemplateDraft): NonNullable<Change<object>['entry']> {
  const { body: fromBody, ...head } = from
  const { body: toBody, ...changedHead } = to
  const names = differing(head, changedHead)
  const of = (fields: object) => {
    const values = fields as Readonly<Record<string, unknown>>
    return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  }
  const diffSummary = [...names, ...differing(fromBody, toBody)].join(', ')
  return { before: of(head), after: of(changedHead), diffSummary }
}

/** Names of the fields that are not equal. */
function differing(from: object, to: object): readonly string[] {
  const before = new Map(Object.entries(from))
  const after = new Map(Object.entries(to))
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)))
}

/** What deleting a template came to. */
export type TemplateDeleted =
  | { readonly ok: true }
  | VersionRefusal<'not_found'>
  | {
      readonly ok: false
      readonly code: 'template_in_use'
      readonly message: string
      readonly uses: readonly TemplateUse[]
    }

/** Deletes a template and its versions, unless a flow, a broadcast or another campaign still sends it. */
export async function deleteTemplate(
  context: MailerContext,
  slug: string,
  acting: Acting
): Promise<TemplateDeleted> {
  const uses = await usesOfTemplate(context, slug)
  if (uses.length > 0) {
    const names = uses.map((use) => `${use.kind} ${use.slug}`).join(', ')
    const message = `The template is used by ${names}`
    return { ok: false, code: 'template_in_use', message, uses }
  }
  return deleteDocument(context, versionedTemplate, slug, {
    ...acting,
    action: 'template.delete',
    beforeOf: ({ name, kind, version }) => ({ name, kind, version })
  })
}
