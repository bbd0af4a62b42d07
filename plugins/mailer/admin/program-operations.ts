// Programs in the admin API: drafts, lint, simulation, publishing, turning on and off.

import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { programsOf } from '../campaigns/programs/compose.ts'
import { measureProgram } from '../campaigns/programs/measure-program.ts'
import { PROGRAM } from '../campaigns/programs/program-context.ts'
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
} from '../campaigns/programs/program-operations.ts'
import { simulateProgram } from '../campaigns/programs/simulate.ts'
import { versionedProgram } from '../campaigns/programs/versioned-program.ts'
import { defined } from '../ledger/defined.ts'
import type { ProgramDefinition } from '../ledger/definition.ts'
import type { ProgramRow } from '../ledger/program-rows.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  limitParameter,
  MAIL_API,
  missing,
  slugParams
} from './admin-operation.ts'
import {
  programArmSchema,
  programIssuesSchema,
  programLineSchema,
  programSchema,
  programSimulationSchema,
  programStatsSchema,
  programVersionSchema
} from './program-answers.ts'
import { programRunOperations } from './program-run-operations.ts'

const base = MAIL_API
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

/** A program without changes has no revision. */
const withRevision = ({ revision = 0, ...program }: ProgramRow) => ({ ...program, revision })

type Changed = { readonly program: ProgramRow; readonly revision: number }

const programOf = ({ program, revision }: Changed) => answered(withRevision(program), { revision })

const list = operation({
  id: 'mailer.programs.list',
  method: 'GET',
  base,
  path: '/programs',
  summary: 'Programs, newest-updated first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ limit: limitParameter(MOST_PROGRAMS, MOST_PROGRAMS) }),
  answer: Type.Array(programLineSchema),
  run: async ({ query }, { host }: Call<AdminHost>) =>
    (await listPrograms(programsOf(host.context), query)).map((program) => ({
      ...withRevision(program),
      hasDraft: program.draft !== null,
      actionCount: program.definition?.actions.length ?? 0
    }))
})

const create = operation({
  id: 'mailer.programs.create',
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
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const made = await createProgram(programsOf(host.context), body, { by: actor })
    return made.ok ? programOf(made) : made
  }
})

const read = operation({
  id: 'mailer.programs.read',
  method: 'GET',
  base,
  path: SLUG,
  summary: 'A program',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: programSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<AdminHost>) {
    const context = programsOf(host.context)
    const program = await getProgram(context, slug)
    if (program === null) return missing('program')
    const { revision = 0 } = program
    const ownerProblem = await context.mails.ownerProblem({ kind: PROGRAM, slug })
    const problem = ownerProblem === null ? {} : { ownerProblem }
    return answered({ ...withRevision(program), ...problem }, { revision })
  }
})

/** A program has two addresses for its changes. */
const changeAt = (id: `mailer.programs.${string}`, path: string) =>
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
    async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
      const by = { by: actor, ...defined({ ifRevision }) }
      const changed = await changeProgram(programsOf(host.context), slug, body, by)
      return changed.ok ? programOf(changed) : changed
    }
  })

const versions = operation({
  id: 'mailer.programs.listVersions',
  method: 'GET',
  base,
  path: `${SLUG}/versions`,
  summary: 'Published versions, newest first',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: Type.Array(programVersionSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<AdminHost>) {
    const context = programsOf(host.context)
    const program = await getProgram(context, slug)
    return program === null ? missing('program') : listProgramVersions(context, slug)
  }
})

const lint = operation({
  id: 'mailer.programs.lint',
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
  async run({ params: { slug }, body }, { host }: Call<AdminHost>) {
    const context = programsOf(host.context)
    const program = await getProgram(context, slug)
    if (program === null) return missing('program')
    return { issues: await lintDraft(context, program, body.definition) }
  }
})

const simulate = operation({
  id: 'mailer.programs.simulate',
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
  async run({ params: { slug }, body }, { host }: Call<AdminHost>) {
    const context = programsOf(host.context)
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
  id: 'mailer.programs.publish',
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
  async run({ params: { slug } }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { by: actor, ...defined({ ifRevision }) }
    const published = await publishProgram(programsOf(host.context), slug, by)
    return published.ok ? programOf(published) : published
  }
})

const enable = operation({
  id: 'mailer.programs.enable',
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
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const enabled = await enableProgram(programsOf(host.context), slug, { by: actor })
    return enabled.ok ? programOf(enabled) : enabled
  }
})

const disable = operation({
  id: 'mailer.programs.disable',
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
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const disabled = await disableProgram(programsOf(host.context), slug, { by: actor })
    return disabled.ok ? programOf(disabled) : disabled
  }
})

/** The figures have two addresses. */
const statsAt = (id: `mailer.programs.${string}`, path: string) =>
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
    async run({ params: { slug } }, { host }: Call<AdminHost>) {
      const context = programsOf(host.context)
      const program = await getProgram(context, slug)
      return program === null ? missing('program') : measureProgram(context, slug)
    }
  })

/** The operations of programs and of their runs. */
export const programOperations: readonly Operation<AdminHost>[] = [
  list,
  create,
  read,
  changeAt('mailer.programs.change', SLUG),
  changeAt('mailer.programs.changeDraft', `${SLUG}/draft`),
  versions,
  lint,
  simulate,
  publish,
  enable,
  disable,
  statsAt('mailer.programs.readState', `${SLUG}/state`),
  statsAt('mailer.programs.readStats', `${SLUG}/stats`),
  ...programRunOperations
]
