// What the operations of programs share: who may call them, what they are served with, parameters.
import { adminAccess, askingFirst, MAILER_ADMIN_API } from '@keelson/mailer/contracts'
import { type Operation, Type } from '@keelson/sdk'
import type { ProgramContext } from '../program-context.ts'
import { inputs } from '../storage/inputs.ts'
import { refusals } from './refusals.ts'

/** What the operations are served with. */
export interface ProgramHost {
  /** The context of this moment: capabilities of other plugins may come and go. */
  readonly open: () => ProgramContext
}

/** The address that the operations are below. */
export const base = MAILER_ADMIN_API

/** Who may call an operation. */
export const access = adminAccess

/** Refuses fields that a schema does not declare. */
export const closed = { additionalProperties: false } as const

/** The slug in an address. */
export const slugParams = Type.Object({ slug: inputs.slug })

/** The slug of a program and the id of a run in an address. */
export const runParams = Type.Object({
  slug: inputs.slug,
  id: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z:._-]{0,199}$' })
})

/** How many rows a list answers: a larger limit counts as `most`. */
export const limitParameter = (most: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, default: most, description: `At most ${most} are answered.` })
  )

/** A time in an answer. */
export const time = Type.String({ format: 'date-time' })

/** The refusal of what is not there. */
export const missing = (what: string) =>
  refusals.refuse('not_found', { message: `The ${what} was not found.` })

/** Open to agents, too; the mailer is asked whether a caller may act before anything changes. */
export const offered = (operations: readonly Operation<ProgramHost>[]) =>
  askingFirst(
    operations.map((operation) => ({ ...operation, agent: true })),
    ({ open }) => open().mailer
  )
