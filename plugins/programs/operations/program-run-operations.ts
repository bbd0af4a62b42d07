// Runs of programs in the admin API: entering subjects, reading, looking now, skipping and ending.

import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { getProgram } from '../acts/program-operations.ts'
import {
  abortProgramRun,
  enteringSchema,
  enterProgram,
  listProgramRuns,
  lookNow,
  readProgramRun,
  skipAction,
  skippedSchema
} from '../acts/run-operations.ts'
import {
  oneProgramRunSchema,
  programArmSchema,
  programRunLineSchema,
  programRunStatusSchema
} from './program-answers.ts'
import {
  access,
  base,
  limitParameter,
  missing,
  type ProgramHost,
  runParams,
  slugParams
} from './program-operation.ts'
import { refusals } from './refusals.ts'

const SLUG = '/programs/:slug'
const RUN = `${SLUG}/runs/:id`
const MOST_RUNS = 200
const done = Type.Object({ ok: Type.Literal(true) }, { title: 'ProgramRunChanged' })
const looked = Type.Object(
  { ok: Type.Literal(true), runs: Type.Integer({ description: 'Runs that are due now.' }) },
  { title: 'ProgramLooked' }
)
const RUN_FAULTS = ['bad_id', 'not_found', 'run_not_active', 'run_busy'] as const

const look = operation({
  id: 'programs.look',
  method: 'POST',
  base,
  path: `${SLUG}/tick`,
  summary: 'Looks at all runs now',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true },
  params: slugParams,
  answer: looked,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug: programSlug } }, { host }: Call<ProgramHost>) {
    const context = host.open()
    if ((await getProgram(context, programSlug)) === null) return missing('program')
    return { ok: true as const, runs: await lookNow(context, { programSlug }) }
  }
})

const enter = operation({
  id: 'programs.enter',
  method: 'POST',
  base,
  path: `${SLUG}/enter`,
  summary: 'Enters a subject',
  access: access.publish,
  effect: 'send',
  params: slugParams,
  body: enteringSchema,
  status: 201,
  answer: Type.Object(
    { ok: Type.Literal(true), runId: Type.String() },
    { title: 'ProgramEntered' }
  ),
  errors: refusals.only('bad_id', 'not_found', 'not_published', 'already_entered'),
  run: ({ params: { slug }, body }, { host, actor }: Call<ProgramHost>) =>
    enterProgram(host.open(), slug, body, { by: actor })
})

const list = operation({
  id: 'programs.runs.list',
  method: 'GET',
  base,
  path: `${SLUG}/runs`,
  summary: 'Runs, newest first',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({
    status: Type.Optional(programRunStatusSchema),
    arm: Type.Optional(programArmSchema),
    limit: limitParameter(MOST_RUNS),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 }))
  }),
  answer: Type.Array(programRunLineSchema),
  errors: refusals.only('bad_id'),
  async run({ params: { slug }, query }, { host }: Call<ProgramHost>) {
    const { rows, nextCursor } = await listProgramRuns(host.open(), slug, query)
    return answered(rows, { nextCursor })
  }
})

const read = operation({
  id: 'programs.runs.read',
  method: 'GET',
  base,
  path: RUN,
  summary: 'A run with its newest decisions',
  access: access.read,
  effect: 'read',
  params: runParams,
  answer: oneProgramRunSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { id } }, { host }: Call<ProgramHost>) =>
    (await readProgramRun(host.open(), id)) ?? missing('run')
})

const abort = operation({
  id: 'programs.runs.abort',
  method: 'POST',
  base,
  path: `${RUN}/abort`,
  summary: 'Ends a run, and cancels its mails that have not left',
  access: access.publish,
  effect: 'stop',
  params: runParams,
  answer: done,
  errors: refusals.only(...RUN_FAULTS),
  run: ({ params: { id } }, { host, actor }: Call<ProgramHost>) =>
    abortProgramRun(host.open(), id, { by: actor })
})

const skip = operation({
  id: 'programs.runs.skip',
  method: 'POST',
  base,
  path: `${RUN}/skip`,
  summary: 'Gives up an action of a run',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true },
  params: runParams,
  body: skippedSchema,
  answer: done,
  errors: refusals.only(...RUN_FAULTS),
  run: ({ params: { id }, body }, { host, actor }: Call<ProgramHost>) =>
    skipAction(host.open(), id, body, { by: actor })
})

const lookAtOne = operation({
  id: 'programs.runs.look',
  method: 'POST',
  base,
  path: `${RUN}/tick`,
  summary: 'Looks at a run now',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true },
  params: runParams,
  answer: looked,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug: programSlug, id: _id } }, { host }: Call<ProgramHost>) {
    const runs = await lookNow(host.open(), { programSlug, _id })
    return runs === 0 ? missing('active run') : { ok: true as const, runs }
  }
})

/** The operations of runs of programs. */
export const programRunOperations: readonly Operation<ProgramHost>[] = [
  look,
  enter,
  list,
  read,
  abort,
  skip,
  lookAtOne
]
