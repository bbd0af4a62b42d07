// What editors do with programs: create, draft, lint, publish, enable, disable, read.

import { randomUUID } from 'node:crypto'
import { closed, ownerOf, type Static, Type } from '@keelson/sdk'
import {
  type Change,
  type Clash,
  changeDocument,
  createDocument,
  type Deciding,
  isUnchanged,
  listVersionsOf,
  readDocument,
  storedDraft,
  unknown,
  type Write
} from '@keelson/sdk/versions'
import { type By, PROGRAM, type ProgramContext } from '../program-context.ts'
import type { ProgramDefinition } from '../storage/definition.ts'
import { inputs } from '../storage/inputs.ts'
import type { ProgramRow, ProgramVersionRow } from '../storage/program-rows.ts'
import { lintProgram, type ProgramIssue } from './lint-program.ts'
import { type ProgramRefusal, type ProgramRefusalCode, refused } from './program-refusal.ts'
import { versionedProgram } from './versioned-program.ts'

/** A program after a change, or why it was not changed. */
export type ProgramResult<Code extends ProgramRefusalCode = ProgramRefusalCode> =
  | { readonly ok: true; readonly program: ProgramRow; readonly revision: number }
  | ProgramRefusal<Code>

/** Why a program could not be written. */
type WriteRefusal = 'not_found' | Clash

/** Who acts. `ifRevision`: only when the program has this revision. */
export interface Editing extends By {
  readonly ifRevision?: number
}

const MOST = 500
const MAX_DRAFT = 512 * 1024

const name = Type.String({ minLength: 1, maxLength: 200 })
const description = Type.Optional(Type.String({ maxLength: 2000 }))
/** Drafts may be unfinished: they are checked by lint and publish. */
const draft = Type.Optional(Type.Refine(Type.Unknown(), isSmall, () => 'must be at most 512 kB'))
/** What a new program is made from. */
export const newProgram = Type.Object({ slug: inputs.slug, name, description, draft }, closed)
/** What changes a program. */
export const programChange = Type.Object({ name: Type.Optional(name), description, draft }, closed)

function isSmall(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= MAX_DRAFT
}

/** Programs, newest-updated first. `limit`: default and maximum 500. */
export function listPrograms(
  { collections }: ProgramContext,
  { limit = MOST }: { readonly limit?: number } = {}
): Promise<readonly ProgramRow[]> {
  const most = Math.min(limit, MOST)
  return collections.programs.find().sort({ updatedAt: -1, _id: 1 }).limit(most).toArray()
}

/** null when the slug is unknown. */
export const getProgram = (context: ProgramContext, slug: string): Promise<ProgramRow | null> =>
  readDocument(context, versionedProgram, slug)

/** Published versions, newest first. */
export async function listProgramVersions(
  context: ProgramContext,
  slug: string
): Promise<readonly ProgramVersionRow[]> {
  const program = await getProgram(context, slug)
  return program === null ? [] : listVersionsOf(context, versionedProgram, program._id)
}

/** Creates a program: disabled, not published. */
export async function createProgram(
  context: ProgramContext,
  input: Static<typeof newProgram>,
  acting: By
): Promise<ProgramResult<'slug_taken'>> {
  const { draft = null, ...given } = input
  const now = context.clock.now()
  const program: ProgramRow = {
    _id: randomUUID(),
    ...given,
    draft,
    enabled: false,
    definition: null,
    version: 0,
    createdAt: now,
    updatedAt: now
  }
  const write = { ...acting, action: 'program.create', after: given }
  const created = await createDocument(context, versionedProgram, program, write)
  return created.ok ? { ok: true, program: created.row, revision: 0 } : created
}

/** Changes name, description and draft. */
export function changeProgram(
  context: ProgramContext,
  slug: string,
  changed: Static<typeof programChange>,
  acting: Editing
): Promise<ProgramResult<WriteRefusal>> {
  const { draft } = changed
  const write = { ...acting, action: 'program.draft.update' }
  return change(context, slug, write, async (program) => ({
    ok: true,
    set: {
      ...changed,
      ...(isObject(draft) && { draft: storedDraft(program, program.definition, draft) })
    }
  }))
}

/** The issues of a definition; of the draft, else of what is published, when it is left out. */
export async function lintDraft(
  context: ProgramContext,
  program: ProgramRow,
  definition: unknown = versionedProgram.editedOf(program)
): Promise<readonly ProgramIssue[]> {
  const templates = await context.mails.publishedTemplates(templateSlugs(definition))
  const { facts } = context.facts ?? {}
  return lintProgram(definition, { templates: new Set(templates.keys()), facts })
}

/**
 * Publishes the draft as the next version; without changes there is none. Runs follow it from their next look.
 */
export async function publishProgram(
  context: ProgramContext,
  slug: string,
  acting: Editing
): Promise<ProgramResult<WriteRefusal | 'no_draft' | 'invalid_program'>> {
  const found = await getProgram(context, slug)
  if (found === null) return unknown('program', slug)
  const content = versionedProgram.editedOf(found)
  if (content === null) return refused('no_draft', `The program ${slug} has no draft.`)
  const issues = await lintDraft(context, found, content)
  if (issues.some(({ severity }) => severity === 'error'))
    return refused('invalid_program', `The draft of ${slug} has errors.`, issues)
  const definition = content as ProgramDefinition
  // A draft that changes after it was read here is neither published unread nor lost.
  const write = { ...acting, action: 'program.publish', since: found.revision ?? 0 }
  return change(context, slug, write, async (program) => {
    const done = program.draft === null ? {} : { draft: null }
    if (isUnchanged(program, program.definition, definition)) return { ok: true, set: done }
    const publish = { by: acting.by.name, stored: { definition } }
    return { ok: true, set: { definition, ...done }, publish }
  })
}

/** Lets a program enter subjects by events from now on, and looks at its runs again. */
export async function enableProgram(
  context: ProgramContext,
  slug: string,
  acting: By
): Promise<ProgramResult<WriteRefusal | 'not_published'>> {
  const found = await getProgram(context, slug)
  if (found?.definition === null)
    return refused('not_published', `The program ${slug} was never published.`)
  const write = { ...acting, action: 'program.enable' }
  const owner = ownerOf(acting.by) ?? null
  return change(context, slug, write, async ({ _id: programId, enabled }, { session, now }) => {
    if (enabled) return { ok: true, set: { owner } }
    await context.runs.reschedule({ programId, status: 'active' }, { session })
    return { ok: true, set: { enabled: true, enabledAt: now, owner } }
  })
}

/** Stops a program: it enters no subject, sends no mail, and its mails that have not left are cancelled. */
export function disableProgram(
  context: ProgramContext,
  slug: string,
  acting: By
): Promise<ProgramResult<WriteRefusal>> {
  const write = { ...acting, action: 'program.disable' }
  return change(context, slug, write, async (_program, { session }) => {
    const mails = context.mails.as(acting.by)
    await mails.cancel({ kind: PROGRAM, slug }, 'program_disabled', { session })
    return { ok: true, set: { enabled: false } }
  })
}

async function change(
  context: ProgramContext,
  slug: string,
  write: By & Write,
  decide: (program: ProgramRow, deciding: Deciding) => Promise<Change<ProgramRow>>
): Promise<ProgramResult<WriteRefusal>> {
  const changed = await changeDocument<ProgramRow, ProgramVersionRow, unknown, ProgramContext, By>(
    context,
    versionedProgram,
    slug,
    write,
    decide
  )
  if (!changed.ok) return changed
  return { ok: true, program: changed.row, revision: changed.revision }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A program, as the audit log names it. */
export const resourceOf = ({ _id: id, slug }: Pick<ProgramRow, '_id' | 'slug'>) => ({
  collection: 'mailer_programs',
  id,
  slug
})

/** Every template that a definition names; it may be anything. */
function templateSlugs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { templateSlug } = value as { readonly templateSlug?: unknown }
  const own = typeof templateSlug === 'string' ? [templateSlug] : []
  return [...new Set([...own, ...Object.values(value).flatMap(templateSlugs)])]
}
