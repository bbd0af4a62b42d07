// Programs in the admin API: from draft to runs and what they came to.
import { Type } from '@keelson/sdk'
import { measureProgram } from '../campaigns/programs/measure-program.ts'
import {
  changeProgram,
  createProgram,
  disableProgram,
  enableProgram,
  getProgram,
  lintDraft,
  listPrograms,
  listProgramVersions,
  publishProgram
} from '../campaigns/programs/program-operations.ts'
import {
  abortProgramRun,
  enterProgram,
  listProgramRuns,
  lookNow,
  readProgramRun,
  skipAction
} from '../campaigns/programs/run-operations.ts'
import { simulateProgram } from '../campaigns/programs/simulate.ts'
import { checkedInput } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import type { ProgramDefinition } from '../ledger/definition.ts'
import type { ProgramRow } from '../ledger/program-rows.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  answered,
  editOf,
  fieldsOf,
  notFound,
  numberOf
} from './admin-route.ts'

const fact = Type.Union([
  Type.String({ maxLength: 512 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null()
])
const facts = Type.Record(Type.String({ maxLength: 128 }), fact, { maxProperties: 200 })
const scenario = Type.Object(
  {
    definition: Type.Optional(Type.Unknown()),
    days: Type.Optional(Type.Number({ minimum: 1, maximum: 365 })),
    facts: Type.Optional(facts),
    changes: Type.Optional(
      Type.Array(Type.Object({ day: Type.Number({ minimum: 0, maximum: 365 }), facts }), {
        maxItems: 200
      })
    ),
    arm: Type.Optional(Type.Enum(['treatment', 'holdout'])),
    timezone: Type.Optional(Type.String({ maxLength: 64 }))
  },
  { additionalProperties: false }
)

type Handler = (call: AdminCall, program: ProgramRow) => Promise<AdminAnswer | AdminRefusal>

const slugOf = ({ params }: AdminCall) => params['slug'] ?? ''
const runIdOf = ({ params }: AdminCall) => params['id'] ?? ''

/** A handler that gets the program that the address names. */
const ofProgram =
  (handler: Handler): AdminRoute['handler'] =>
  async (call) => {
    const program = await getProgram(call.context, slugOf(call))
    return program === null ? notFound('The program') : handler(call, program)
  }

/** Plays the draft, or a definition of the body, through for a subject that does not exist. */
const simulate: Handler = async ({ context, body }, program) => {
  const { definition, days = 90, ...given } = checkedInput('simulateProgram', scenario, body)
  const played = definition ?? program.draft ?? program.definition
  const issues = await lintDraft(context, program, played)
  if (issues.some(({ severity, path }) => severity === 'error' && !path.endsWith('.templateSlug')))
    return { ok: false, code: 'invalid_program', issues } as AdminRefusal
  const { facts = {}, ...more } = defined(given)
  const start = context.clock.now()
  return { body: simulateProgram(played as ProgramDefinition, { start, days, facts, ...more }) }
}

const changes = {
  publish: publishProgram,
  enable: enableProgram,
  disable: disableProgram
} as const

/** Routes below `/programs`. */
export const programRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/programs',
    summary: 'Programs, newest-updated first',
    handler: async ({ context }) => ({ body: await listPrograms(context) })
  },
  {
    method: 'POST',
    path: '/programs',
    summary: 'Makes a program',
    handler: async ({ context, body, acting }) =>
      answered(await createProgram(context, body, acting), ({ program }) => program, 201)
  },
  {
    method: 'GET',
    path: '/programs/:slug',
    summary: 'A program',
    handler: ofProgram(async (_call, program) => ({
      body: program,
      revision: program.revision ?? 0
    }))
  },
  ...(['/programs/:slug', '/programs/:slug/draft'] as const).map(
    (path): AdminRoute => ({
      method: 'PATCH',
      path,
      summary: 'Changes name, description and draft',
      handler: async (call) =>
        answered(
          await changeProgram(call.context, slugOf(call), call.body, {
            ...call.acting,
            ...editOf(call)
          }),
          ({ program }) => program
        )
    })
  ),
  {
    method: 'GET',
    path: '/programs/:slug/versions',
    summary: 'Published versions, newest first',
    handler: ofProgram(async ({ context }, { slug }) => ({
      body: await listProgramVersions(context, slug)
    }))
  },
  {
    method: 'POST',
    path: '/programs/:slug/lint',
    summary: 'The issues of the draft, or of a definition of the body',
    handler: ofProgram(async ({ context, body }, program) => ({
      body: { issues: await lintDraft(context, program, fieldsOf(body)['definition']) }
    }))
  },
  {
    method: 'POST',
    path: '/programs/:slug/simulate',
    summary: 'Plays the program through for one subject, without mails',
    handler: ofProgram(simulate)
  },
  ...(['publish', 'enable', 'disable'] as const).map(
    (name): AdminRoute => ({
      method: 'POST',
      path: `/programs/:slug/${name}`,
      summary: `Does ${name} for a program`,
      permission: 'canPublish',
      handler: async (call) =>
        answered(
          await changes[name](call.context, slugOf(call), { ...call.acting, ...editOf(call) }),
          ({ program }) => program
        )
    })
  ),
  ...(['state', 'stats'] as const).map(
    (name): AdminRoute => ({
      method: 'GET',
      path: `/programs/:slug/${name}`,
      summary: 'Runs and actions by arm, and what the program adds',
      handler: ofProgram(async ({ context }, { slug }) => ({
        body: await measureProgram(context, slug)
      }))
    })
  ),
  {
    method: 'POST',
    path: '/programs/:slug/tick',
    summary: 'Looks at all runs now',
    permission: 'canPublish',
    handler: ofProgram(async ({ context }, { slug: programSlug }) => ({
      body: { ok: true, runs: await lookNow(context, { programSlug }) }
    }))
  },
  {
    method: 'POST',
    path: '/programs/:slug/enter',
    summary: 'Enters a subject',
    permission: 'canPublish',
    handler: async (call) => {
      const { context, body, acting } = call
      const result = await enterProgram(context, slugOf(call), body, acting)
      return answered(result, ({ runId }) => ({ ok: true, runId }), 201)
    }
  },
  {
    method: 'GET',
    path: '/programs/:slug/runs',
    summary: 'Runs, newest first',
    handler: async (call) => {
      const { status, arm, limit, cursor } = call.query
      const filter = defined({ status, arm, cursor, limit: numberOf(limit) })
      const page = await listProgramRuns(call.context, slugOf(call), filter)
      return { body: page.rows, nextCursor: page.nextCursor }
    }
  },
  {
    method: 'GET',
    path: '/programs/:slug/runs/:id',
    summary: 'A run with its newest decisions',
    handler: async (call) => {
      const found = await readProgramRun(call.context, runIdOf(call))
      return found === null ? notFound('The run') : { body: found }
    }
  },
  {
    method: 'POST',
    path: '/programs/:slug/runs/:id/abort',
    summary: 'Ends a run',
    permission: 'canPublish',
    handler: async (call) =>
      answered(await abortProgramRun(call.context, runIdOf(call), call.acting), () => ({
        ok: true
      }))
  },
  {
    method: 'POST',
    path: '/programs/:slug/runs/:id/skip',
    summary: 'Gives up an action of a run',
    permission: 'canPublish',
    handler: async (call) => {
      const { context, body, acting } = call
      return answered(await skipAction(context, runIdOf(call), body, acting), () => ({ ok: true }))
    }
  },
  {
    method: 'POST',
    path: '/programs/:slug/runs/:id/tick',
    summary: 'Looks at a run now',
    permission: 'canPublish',
    handler: async (call) => {
      const one = { programSlug: slugOf(call), _id: runIdOf(call) }
      const runs = await lookNow(call.context, one)
      return runs === 0 ? notFound('An active run') : { body: { ok: true, runs } }
    }
  }
]
