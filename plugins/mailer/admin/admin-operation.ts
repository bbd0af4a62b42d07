// What the operations of the admin API share: who may call them, what they are served with, parameters.
import { type Access, Type } from '@keelson/sdk'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import { fieldChangeSchema } from '../ledger/changes-between.ts'
import { inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { mailRefusals } from '../ledger/refusals.ts'

/** What operations of the admin API are served with. */
export interface AdminHost {
  readonly context: MailerContext
  readonly events: EventRegistry
}

/** The address that the operations of the admin API are below. */
export const MAIL_API = '/admin/mailer/api'

const administrator = { auth: 'admin', tenants: '${adminTenants}' } as const

/** Who may call an operation of the admin API. Tokens need the scope besides. */
export const access = {
  read: { ...administrator, scopes: ['mail:read'] },
  change: { ...administrator, scopes: ['mail:write'] },
  publish: { ...administrator, permission: 'mailer.publish', scopes: ['mail:write'] },
  sendBroadcasts: { ...administrator, permission: 'mailer.sendBroadcasts', scopes: ['mail:write'] },
  manageSuppressions: {
    ...administrator,
    permission: 'mailer.manageSuppressions',
    scopes: ['mail:write']
  }
} as const satisfies Readonly<Record<string, Access>>

/** Refuses fields that a schema does not declare. */
export const closed = { additionalProperties: false } as const

/** The slug in an address. */
export const slugParams = Type.Object({ slug: inputs.slug })

/** The id in an address. */
export const idParams = Type.Object({
  id: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z:._-]{0,199}$' })
})

/** A version of a document in an address. */
export const versionSchema = Type.Integer({ minimum: 1, maximum: 999_999_999 })

/** How many rows a list answers: a larger limit counts as `most`. */
export const limitParameter = (most: number, usual: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, default: usual, description: `At most ${most} are answered.` })
  )

/** Limit and cursor of a list, whose next page is named by `x-next-cursor`. */
export const pageParameters = (most: number, usual: number) => ({
  limit: limitParameter(most, usual),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 }))
})

/** The number that was shown before an operation on many: another one is refused with the present number. */
export const confirmedCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description })

/** A time in an answer, or in a query or body. */
export const time = Type.String({ format: 'date-time' })

/** Of a run: why it does not go on. */
export const runHold = Type.Optional(
  Type.Object(
    { cause: Type.String(), message: Type.String(), since: time },
    {
      title: 'RunHold',
      description: 'It does not go on, because the owner of its flow may no longer send.'
    }
  )
)

/** Of one flow: why its mails are held. */
export const ownerProblem = Type.Optional(
  Type.String({
    description:
      'Its mails are held, because the person who let it send may no longer send. Only where one is read.'
  })
)

/** `{ ok: true }`: it was done. */
export const done = Type.Object({ ok: Type.Literal(true) }, { title: 'Done' })

/** What differs between two states of a document. */
export const changesSchema = Type.Object(
  { changes: Type.Array(fieldChangeSchema) },
  { title: 'Changes' }
)

/** The refusal of what is not there. */
export const missing = (what: string) =>
  mailRefusals.refuse('not_found', { message: `The ${what} was not found.` })
