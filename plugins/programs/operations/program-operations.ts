// Programs in the admin API: drafts, lint, simulation, publishing, turning on and off.

import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { measureProgram, measurePrograms } from '../acts/measure-program.ts'
import {
  changeProgram,
  createProgram,
  disableProgram,
  enableProgram,
  getProgram,
  lintDraft,
  listPrograms,
  listProgramVersions,
  newProgram,
  programChange,
  publishProgram
} from '../acts/program-operations.ts'
import { versionedProgram } from '../acts/versioned-program.ts'
import { simulateProgram } from '../looks/simulate.ts'
import { PROGRAM, type ProgramContext } from '../program-context.ts'
import type { ProgramDefinition } from '../storage/definition.ts'
import type { ProgramRow } from '../storage/program-rows.ts'
import {
  programArmSchema,
  programIssuesSchema,
  programLineSchema,
  programSchema,
  programSimulationSchema,
  programStatsSchema,
  programVersionSchema
} from './program-answers.ts'
import {
  access,
  base,
  closed,
  limitParameter,
  missing,
  offered,
  type ProgramHost,
  slugParams
} from './program-operation.ts'
import { programRunOperations } from './program-run-operations.ts'
import { refusals } from './refusals.ts'

const SLUG = '/programs/:slug'
const MOST_PROGRAMS = 500
const MOST_DAYS = 365

const fact = Type.Union([
  Type.String({ maxLength: 512 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null()
])
const facts = Type.Record(Type.String({ maxLength: 128 }), fact, { maxProperties: 200 })
const definition = Type.Optional(
  Type.Unknown({ description: 'Default: the draft, else what is published.' })
)
const scenario = Type.Object(
  {
    definition,
    days: Type.Number({ minimum: 1, maximum: MOST_DAYS, default: 90 }),
    facts: Type.Optional(facts),
    changes: Type.Optional(
      Type.Array(
        Type.Object({ day: Type.Number({ minimum: 0, maximum: MOST_DAYS }), facts }, closed),
        { maxItems: 200, description: 'Facts that change on the way.' }
      )
    ),
    arm: Type.Optional(programArmSchema),
    timezone: Type.Optional(Type.String({ maxLength: 64 }))
  },
  closed
)

/** The names of the templates that a published program sends. */
async function templateNamesOf({ mails }: ProgramContext, definition: ProgramDefinition | null) {
  const slugs = (definition?.actions ?? []).map(({ templateSlug }) => templateSlug)
  return Object.fromEntries(await mails.templateNames([...new Set(slugs)]))
}

/** A program without changes has no revision. */
const withRevision = ({ revision = 0, ...program }: ProgramRow) => ({ ...program, revision })

type Changed = { readonly program: ProgramRow; readonly revision: number }

const programOf = ({ program, revision }: Changed) => answered(withRevision(program), { revision })

const list = operation({
  id: 'programs.list',
  method: 'GET',
  base,
  path: '/programs',
  summary: 'Programs, newest-updated first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ limit: limitParameter(MOST_PROGRAMS) }),
  answer: Type.Array(programLineSchema),
  async run({ query }, { host }: Call<ProgramHost>) {
    const context = host.open()
    const programs = await listPrograms(context, query)
    const results = await measurePrograms(context, programs)
    return programs.map((program) => ({
      ...withRevision(program),
      hasDraft: program.draft !== null,
      actionCount: program.definition?.actions.length ?? 0,
      results: results.get(program.slug)
    }))
  }
})

const create = operation({
  id: 'programs.create',
  method: 'POST',
  base,
  path: '/programs',
  summary: 'Makes a program',
  access: access.change,
  effect: 'change',
  body: newProgram,
  status: 201,
  answer: programSchema,
  errors: refusals.only('slug_taken'),
  async run({ body }, { host, actor }: Call<ProgramHost>) {
    const made = await createProgram(host.open(), body, { by: actor })
    return made.ok ? programOf(made) : made
  }
})

const read = operation({
  id: 'programs.read',
  method: 'GET',
  base,
  path: SLUG,
  summary: 'A program',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: programSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<ProgramHost>) {
    const context = host.open()
    const program = await getProgram(context, slug)
    if (program === null) return missing('program')
    const { revision = 0 } = program
    const ownerProblem = await context.mails.ownerProblem({ kind: PROGRAM, slug })
    const problem = ownerProblem === null ? {} : { ownerProblem }
    const templates = await templateNamesOf(context, program.definition)
    return answered({ ...withRevision(program), ...problem, names: { templates } }, { revision })
  }
})

/** A program has two addresses for its changes. */
const changeAt = (id: `programs.${string}`, path: string) =>
  operation({
    id,
    method: 'PATCH',
    base,
    path,
    summary: 'Changes name, description and draft',
    access: access.change,
    effect: 'change',
    hints: { idempotent: true },
    params: slugParams,
    body: programChange,
    answer: programSchema,
    errors: refusals.only('bad_id', 'not_found', 'conflict', 'draft_conflict'),
    async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<ProgramHost>) {
      const by = { by: actor, ...(ifRevision !== undefined && { ifRevision }) }
      const changed = await changeProgram(host.open(), slug, body, by)
      return changed.ok ? programOf(changed) : changed
    }
  })

const versions = operation({
  id: 'programs.listVersions',
  method: 'GET',
  base,
  path: `${SLUG}/versions`,
  summary: 'Published versions, newest first',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: Type.Array(programVersionSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<ProgramHost>) {
    const context = host.open()
    const program = await getProgram(context, slug)
    return program === null ? missing('program') : listProgramVersions(context, slug)
  }
})

const lint = operation({
  id: 'programs.lint',
  method: 'POST',
  base,
  path: `${SLUG}/lint`,
  summary: 'The issues of the draft, or of a definition of the body',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: Type.Object({ definition }, closed),
  answer: programIssuesSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, body }, { host }: Call<ProgramHost>) {
    const context = host.open()
    const program = await getProgram(context, slug)
    if (program === null) return missing('program')
    return { issues: await lintDraft(context, program, body.definition) }
  }
})

const simulate = operation({
  id: 'programs.simulate',
  method: 'POST',
  base,
  path: `${SLUG}/simulate`,
  summary: 'Plays the program through for one subject, without mails',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: scenario,
  answer: programSimulationSchema,
  errors: refusals.only('bad_id', 'not_found', 'invalid_program'),
  async run({ params: { slug }, body }, { host }: Call<ProgramHost>) {
    const context = host.open()
    const program = await getProgram(context, slug)
    if (program === null) return missing('program')
    const { definition = versionedProgram.editedOf(program), facts = {}, ...given } = body
    const issues = await lintDraft(context, program, definition)
    // Nothing is sent, so a template may be missing.
    const isFaulty = issues.some(
      ({ severity, path }) => severity === 'error' && !path.endsWith('.templateSlug')
    )
    if (isFaulty) return refusals.refuse('invalid_program', { more: { issues } })
    const start = context.clock.now()
    return simulateProgram(definition as ProgramDefinition, { start, facts, ...given })
  }
})

const publish = operation({
  id: 'programs.publish',
  method: 'POST',
  base,
  path: `${SLUG}/publish`,
  summary: 'Publishes the draft; runs follow it from their next look',
  access: access.publish,
  effect: 'change',
  params: slugParams,
  answer: programSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'conflict',
    'draft_conflict',
    'no_draft',
    'invalid_program'
  ),
  async run({ params: { slug } }, { host, actor, ifRevision }: Call<ProgramHost>) {
    const by = { by: actor, ...(ifRevision !== undefined && { ifRevision }) }
    const published = await publishProgram(host.open(), slug, by)
    return published.ok ? programOf(published) : published
  }
})

const enable = operation({
  id: 'programs.enable',
  method: 'POST',
  base,
  path: `${SLUG}/enable`,
  summary: 'Enters subjects by events from now on, and looks at the runs again',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true },
  params: slugParams,
  answer: programSchema,
  errors: refusals.only('bad_id', 'not_found', 'conflict', 'draft_conflict', 'not_published'),
  async run({ params: { slug } }, { host, actor }: Call<ProgramHost>) {
    const enabled = await enableProgram(host.open(), slug, { by: actor })
    return enabled.ok ? programOf(enabled) : enabled
  }
})

const disable = operation({
  id: 'programs.disable',
  method: 'POST',
  base,
  path: `${SLUG}/disable`,
  summary: 'Enters no subject, sends no mail, and cancels mails that have not left',
  access: access.publish,
  effect: 'stop',
  hints: { idempotent: true },
  params: slugParams,
  answer: programSchema,
  errors: refusals.only('bad_id', 'not_found', 'conflict', 'draft_conflict'),
  async run({ params: { slug } }, { host, actor }: Call<ProgramHost>) {
    const disabled = await disableProgram(host.open(), slug, { by: actor })
    return disabled.ok ? programOf(disabled) : disabled
  }
})

/** The figures have two addresses. */
const statsAt = (id: `programs.${string}`, path: string) =>
  operation({
    id,
    method: 'GET',
    base,
    path,
    summary: 'Runs and actions by arm, and what the program adds',
    access: access.read,
    effect: 'read',
    params: slugParams,
    answer: programStatsSchema,
    errors: refusals.only('bad_id', 'not_found'),
    async run({ params: { slug } }, { host }: Call<ProgramHost>) {
      const context = host.open()
      const program = await getProgram(context, slug)
      return program === null ? missing('program') : measureProgram(context, slug)
    }
  })

/** The operations of programs and of their runs. */
export const programOperations: readonly Operation<ProgramHost>[] = offered([
  list,
  create,
  read,
  changeAt('programs.change', SLUG),
  changeAt('programs.changeDraft', `${SLUG}/draft`),
  versions,
  lint,
  simulate,
  publish,
  enable,
  disable,
  statsAt('programs.readState', `${SLUG}/state`),
  statsAt('programs.readStats', `${SLUG}/stats`),
  ...programRunOperations
])
