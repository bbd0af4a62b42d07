// Makes, changes, copies and deletes templates. What a caller can get wrong is a value.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@keelson/sdk'
import { type ClientSession, MongoServerError } from 'mongodb'
import { audit } from '../../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type Acting, draftChangeSchema, newTemplateSchema } from '../../ledger/template-input.ts'
import type { TemplateDraft, TemplateFields, TemplateRow } from '../../ledger/template-rows.ts'
import { CLEARABLE, type DraftChange, editedFields, emptyFields, planDraft } from './plan-draft.ts'
import { type TemplateFault, templateFault } from './template-faults.ts'
import { type TemplateUse, usesOfTemplate } from './template-uses.ts'

/** The template is not there. */
export interface TemplateNotFound {
  readonly ok: false
  readonly code: 'not_found'
  readonly message: string
}

/** The template changed while something was done with it; `draft_conflict`: since an editor read it. */
export interface TemplateConflict {
  readonly ok: false
  readonly code: 'conflict' | 'draft_conflict'
  readonly message: string
}

interface SlugTaken {
  readonly ok: false
  readonly code: 'slug_taken'
  readonly message: string
}

/** What making a template came to. */
export type TemplateCreated = { readonly ok: true; readonly template: TemplateRow } | SlugTaken

const DUPLICATE_KEY = 11000
/** Changes at the same moment are made one after the other; more than this is a fault of a caller. */
const MOST_TRIES = 10

export const notFound = (slug: string): TemplateNotFound => ({
  ok: false,
  code: 'not_found',
  message: `There is no template ${slug}`
})

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
): Promise<TemplateCreated | TemplateNotFound> {
  const schema = Type.Object({ slug: inputs.slug, name: Type.Optional(Type.String()) })
  const copy = checkedInput('duplicateTemplate', schema, input)
  const source = await context.collections.templates.findOne({ slug })
  if (source === null) return notFound(slug)
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
  const { slug, name, kind } = template
  try {
    await context.withTransaction(async (session) => {
      await context.collections.templates.insertOne(template, { session })
      await noteChange(
        context,
        { ...acting, action: 'create', slug, after: { name, kind } },
        session
      )
    })
    return { ok: true, template }
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error
    return { ok: false, code: 'slug_taken', message: `There is a template ${slug} already` }
  }
}

/** What changing a draft came to. */
export type DraftChanged =
  | { readonly ok: true; readonly draft: TemplateDraft; readonly revision: number }
  | TemplateNotFound
  | TemplateConflict
  | TemplateFault

/**
 * Changes the draft. The first change of a template without one starts from the published fields.
 * `ifRevision`: only when the template has this revision.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function changeDraft(
  context: MailerContext,
  slug: string,
  input: Static<typeof draftChangeSchema>,
  { ifRevision, ...acting }: Acting & { readonly ifRevision?: number }
): Promise<DraftChanged> {
  const change = checkedInput('changeDraft', draftChangeSchema, input) as DraftChange
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const row = await context.collections.templates.findOne({ slug })
    if (row === null) return notFound(slug)
    if (ifRevision !== undefined && ifRevision !== row.revision) return draftConflict(slug)
    const draft = planDraft(row, change)
    const fault = isCheckedChange(change) ? templateFault(draft, context.config) : undefined
    if (fault !== undefined) return fault
    const entry = { ...acting, action: 'draft.update', slug, ...changeOf(editedFields(row), draft) }
    const isChanged = await changeRow(context, row, { draft }, async (session) => {
      await noteChange(context, entry, session)
    })
    if (isChanged) return { ok: true, draft, revision: row.revision + 1 }
  }
  return conflict(slug)
}

const CHECKED = ['fromEmail', 'kind', 'replyTo', 'category', 'providerOverride'] as const

/** Other changes go through: a domain that is not registered any more is a matter of publishing. */
const isCheckedChange = (change: DraftChange): boolean =>
  CHECKED.some((key) => change[key] !== undefined)

export const draftConflict = (slug: string): TemplateConflict => ({
  ok: false,
  code: 'draft_conflict',
  message: `Someone else changed the template ${slug} since you opened it. Read it again.`
})

/** The fields that differ, before and after; of a body only which sources do, for its size. */
function changeOf(
  from: TemplateDraft,
  to: TemplateDraft
): Pick<TemplateChange, 'before' | 'after' | 'diffSummary'> {
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

export const conflict = (slug: string): TemplateConflict => ({
  ok: false,
  code: 'conflict',
  message: `The template ${slug} was changed at the same time. Try again.`
})

/** Writes fields if the row is still as it was read. `together` is written with it, or not at all. */
export function changeRow(
  { collections, clock, withTransaction }: MailerContext,
  { _id, revision }: Pick<TemplateRow, '_id' | 'revision'>,
  fields: Partial<TemplateRow>,
  together: (session: ClientSession) => Promise<void>
): Promise<boolean> {
  const isPublished = fields.version !== undefined
  const unset = CLEARABLE.filter((key) => isPublished && !(key in fields))
  return withTransaction(async (session) => {
    const { matchedCount } = await collections.templates.updateOne(
      { _id, revision },
      {
        $set: { ...fields, updatedAt: clock.now() },
        $inc: { revision: 1 },
        ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((key) => [key, ''])) })
      },
      { session }
    )
    if (matchedCount === 0) return false
    await together(session)
    return true
  })
}

/** What deleting a template came to. */
export type TemplateDeleted =
  | { readonly ok: true }
  | TemplateNotFound
  | {
      readonly ok: false
      readonly code: 'template_in_use'
      readonly message: string
      readonly uses: readonly TemplateUse[]
    }

/** Deletes a template and its versions, unless a flow, a program or a broadcast still sends it. */
export async function deleteTemplate(
  context: MailerContext,
  slug: string,
  acting: Acting
): Promise<TemplateDeleted> {
  const { templates, templateVersions } = context.collections
  const uses = await usesOfTemplate(context, slug)
  if (uses.length > 0) {
    const names = uses.map((use) => `${use.kind} ${use.slug}`).join(', ')
    const message = `The template is used by ${names}`
    return { ok: false, code: 'template_in_use', message, uses }
  }
  return context.withTransaction(async (session) => {
    const row = await templates.findOneAndDelete({ slug }, { session })
    if (row === null) return notFound(slug)
    await templateVersions.deleteMany({ slug }, { session })
    const before = { name: row.name, kind: row.kind, version: row.version }
    await noteChange(context, { ...acting, action: 'delete', slug, before }, session)
    return { ok: true } as const
  })
}

/** A change, for the audit log. */
export interface TemplateChange extends Acting {
  readonly action: string
  readonly slug: string
  readonly before?: unknown
  readonly after?: unknown
  readonly diffSummary?: string
}

/** Appends to the audit log, together with the change. */
export async function noteChange(
  context: MailerContext,
  { action, slug, ...entry }: TemplateChange,
  session: ClientSession
): Promise<void> {
  const resource = { collection: 'mailer_templates', slug }
  await audit(context, { ...entry, action: `template.${action}`, resource }, { session })
}
