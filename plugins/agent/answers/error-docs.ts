// The documentation of every error that the agent API answers, and its address.
import { mailerErrors } from '@keelson/mailer'
import { OWN_REFUSALS, type RefusalRow, Type } from '@keelson/sdk'
import { refusals } from './refusals.ts'

/** One error, as `GET /errors` lists it. */
export interface ErrorDoc extends RefusalRow {
  /** The word that answers carry in `error`. */
  readonly error: string
}

/** Errors of the mailer that a request can cause. `{name}` is what the message of an answer fills in. */
const ofMailer = Object.entries(mailerErrors)
  .filter(([, { status }]) => status !== 500)
  .map(
    ([error, { status, message, remedy }]): ErrorDoc => ({ error, status, message, fix: remedy })
  )

/** Every documented error by its word. */
export const ERROR_DOCS: ReadonlyMap<string, ErrorDoc> = new Map(
  [
    ...Object.entries({ ...OWN_REFUSALS, ...refusals.table }).map(
      ([error, row]): ErrorDoc => ({ error, ...row })
    ),
    ...ofMailer
  ].map((doc) => [doc.error, doc])
)

/** The documentation of an error; of a word that a plugin chose, the list. */
export const docsOf = (mount: string, error: string): string =>
  ERROR_DOCS.has(error) ? `${mount}/errors/${error}` : `${mount}/errors`

/** One error as it is answered. */
export const errorDocSchema = Type.Object(
  {
    error: Type.String(),
    status: Type.Integer(),
    message: Type.String(),
    fix: Type.String(),
    docs: Type.String()
  },
  { title: 'AgentErrorDoc' }
)

/** What `GET /errors` answers. */
export const errorListSchema = Type.Object({
  errors: Type.Array(errorDocSchema),
  others: Type.String()
})

/** What `GET /errors` answers. */
export const errorList = (mount: string) => ({
  errors: [...ERROR_DOCS.values()].map((doc) => ({ ...doc, docs: docsOf(mount, doc.error) })),
  others: 'A word that is not listed comes from a plugin: its message says what is wrong.'
})
