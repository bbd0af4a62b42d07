// What editors do with programs: create, draft, lint, publish, enable, disable, read.
import { randomUUID } from 'node:crypto'
import { closed, type Static, Type } from '@keelson/sdk'
import { type ClientSession, MongoServerError } from 'mongodb'
import { cancelSends } from '../../delivery/sends/cancel-sends.ts'
import { audit } from '../../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { ProgramDefinition } from '../../ledger/definition.ts'
import type { ProgramRow, ProgramVersionRow } from '../../ledger/program-rows.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { lintProgram, type ProgramIssue } from './lint-program.ts'
import {
  type ProgramRefusal,
  type ProgramRefusalCode,
  refused,
  unknownProgram
} from './program-refusal.ts'

/** A program after a change, or why it was not changed. */
export type ProgramResult<Code extends ProgramRefusalCode = ProgramRefusalCode> =
  | { readonly ok: true; readonly program: ProgramRow; readonly revision: number }
  | ProgramRefusal<Code>

/** Why a program could not be written. */
type WriteRefusal = 'not_found' | 'draft_conflict'

/** Who acts. `ifRevision`: only when the program has this revision. */
export interface Editing extends Acting {
  readonly ifRevision?: number
}

const MOST = 500
const MOST_VERSIONS = 100
const MAX_DRAFT = 512 * 1024
const DUPLICATE_KEY = 11000

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
  { collections }: MailerContext,
  { limit = MOST }: { readonly limit?: number } = {}
): Promise<readonly ProgramRow[]> {
  const most = Math.min(limit, MOST)
  return collections.programs.find().sort({ updatedAt: -1, _id: 1 }).limit(most).toArray()
}

/** null when the slug is unknown. */
export function getProgram(
  { collections }: MailerContext,
  slug: string
): Promise<ProgramRow | null> {
  return collections.programs.findOne({ slug })
}

/** Published versions, newest first. */
export async function listProgramVersions(
  context: MailerContext,
  slug: string
): Promise<readonly ProgramVersionRow[]> {
  const program = await getProgram(context, slug)
  if (program === null) return []
  return context.collections.programVersions
    .find({ programId: program._id })
    .sort({ version: -1 })
    .limit(MOST_VERSIONS)
    .toArray()
}

/** Creates a program: disabled, not published. @throws MLR_INPUT_INVALID */
export async function createProgram(
  context: MailerContext,
  input: unknown,
  acting: Acting
): Promise<ProgramResult<'slug_taken'>> {
  const { draft = null, ...given } = checkedInput('createProgram', newProgram, input)
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
  try {
    await context.withTransaction(async (session) => {
      await context.collections.programs.insertOne(program, { session })
      const entry = { ...acting, action: 'program.create', resource: resourceOf(program) }
      await audit(context, { ...entry, after: given }, { session })
    })
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error
    return refused('slug_taken', `There is a program ${program.slug} already.`)
  }
  return { ok: true, program, revision: 0 }
}

/** Changes name, description and draft. @throws MLR_INPUT_INVALID */
export function changeProgram(
  context: MailerContext,
  slug: string,
  input: unknown,
  acting: Editing
): Promise<ProgramResult<WriteRefusal>> {
  const changed: Static<typeof programChange> = checkedInput('changeProgram', programChange, input)
  return change(context, slug, { ...acting, action: 'program.draft.update' }, async () => changed)
}

/** The issues of a definition; of the draft, else of what is published, when it is left out. */
export async function lintDraft(
  context: MailerContext,
  program: ProgramRow,
  definition: unknown = program.draft ?? program.definition
): Promise<readonly ProgramIssue[]> {
  const templates = await context.templates.load(templateSlugs(definition))
  const { facts } = context.config.factsAdapter ?? {}
  return lintProgram(definition, { templates: new Set(templates.keys()), facts })
}

/** Publishes the draft as the next version. Runs follow it from their next look. */
export async function publishProgram(
  context: MailerContext,
  slug: string,
  { ifRevision, ...acting }: Editing
): Promise<ProgramResult<WriteRefusal | 'no_draft' | 'invalid_program'>> {
  const found = await getProgram(context, slug)
  if (found === null) return unknownProgram(slug)
  if (found.draft === null) return refused('no_draft', `The program ${slug} has no draft.`)
  const issues = await lintDraft(context, found)
  if (issues.some(({ severity }) => severity === 'error'))
    return refused('invalid_program', `The draft of ${slug} has errors.`, issues)
  const definition = found.draft as ProgramDefinition
  const published = { publishedAt: context.clock.now(), publishedBy: acting.actor }
  // A draft that changes after it was read here is neither published unread nor lost.
  const { revision = 0 } = found
  const write = { ...acting, action: 'program.publish', ifRevision: ifRevision ?? revision }
  return change(context, slug, write, async ({ _id, version: last }, session) => {
    const version = last + 1
    const row = { _id: `${_id}:${version}`, programId: _id, version, definition, ...published }
    await context.collections.programVersions.insertOne(row, { session })
    return { definition, draft: null, version, ...published }
  })
}

/** Lets a program enter subjects by events from now on, and looks at its runs again. */
export async function enableProgram(
  context: MailerContext,
  slug: string,
  acting: Acting
): Promise<ProgramResult<WriteRefusal | 'not_published'>> {
  const found = await getProgram(context, slug)
  if (found?.definition === null)
    return refused('not_published', `The program ${slug} was never published.`)
  const write = { ...acting, action: 'program.enable' }
  const { owner = null } = acting
  return change(context, slug, write, async ({ _id: programId, enabled }, session) => {
    if (enabled) return { owner }
    await context.queues.programRuns.reschedule({ programId, status: 'active' }, { session })
    return { enabled: true, enabledAt: context.clock.now(), owner }
  })
}

/** Stops a program: it enters no subject, sends no mail, and its mails that have not left are cancelled. */
export function disableProgram(
  context: MailerContext,
  slug: string,
  acting: Acting
): Promise<ProgramResult<WriteRefusal>> {
  const write = { ...acting, action: 'program.disable' }
  return change(context, slug, write, async (_program, session) => {
    await cancelSends(context, { 'program.slug': slug }, 'program_disabled', { session })
    return { enabled: false }
  })
}

/** Reads, changes and audits a program in one transaction. */
function change(
  context: MailerContext,
  slug: string,
  { ifRevision, ...write }: Editing & { readonly action: string },
  decide: (program: ProgramRow, session: ClientSession) => Promise<Partial<ProgramRow>>
): Promise<ProgramResult<WriteRefusal>> {
  const { collections, clock } = context
  return context.withTransaction(async (session) => {
    const program = await collections.programs.findOne({ slug }, { session })
    if (program === null) return unknownProgram(slug)
    const { revision: known = 0 } = program
    if (ifRevision !== undefined && ifRevision !== known)
      return refused(
        'draft_conflict',
        `Another editor changed the program ${slug} since you opened it. Read it again.`
      )
    const decided = await decide(program, session)
    const revision = known + 1
    const changed = { ...decided, revision, updatedAt: clock.now() }
    await collections.programs.updateOne({ _id: program._id }, { $set: changed }, { session })
    const names = Object.keys(decided) as (keyof ProgramRow)[]
    const before = Object.fromEntries(names.map((name) => [name, program[name]]))
    const entry = { ...write, resource: resourceOf(program), before, after: decided }
    await audit(context, entry, { session })
    return { ok: true, program: { ...program, ...changed }, revision }
  })
}

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
