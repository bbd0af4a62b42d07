// The documentation of every error that the agent API answers, and its address.
import type { MailerOperations } from '@keelson/mailer/contracts'
import { OWN_REFUSALS, type RefusalRow, Type } from '@keelson/sdk'
import { refusals } from './refusals.ts'

/** One error, as `GET /errors` lists it. */
export interface ErrorDoc extends RefusalRow {
  /** The word that answers carry in `error`. */
  readonly error: string
}

/** The documentation of errors, and where it is served. */
export interface ErrorDocs {
  /** What its address is below. */
  readonly mount: string
  /** By the word of the error. */
  readonly byWord: ReadonlyMap<string, ErrorDoc>
}

/** Own errors, and those of the mailer that a request can cause, whose `{name}` an answer fills in. */
export function errorDocs(mount: string, ofMailer: MailerOperations['errors']): ErrorDocs {
  const own = Object.entries({ ...OWN_REFUSALS, ...refusals.table }).map(
    ([error, row]): ErrorDoc => ({ error, ...row })
  )
  const thrown = Object.entries(ofMailer)
    .filter(([, { status }]) => status !== 500)
    .map(
      ([error, { status, message, remedy }]): ErrorDoc => ({ error, status, message, fix: remedy })
    )
  return { mount, byWord: new Map([...own, ...thrown].map((doc) => [doc.error, doc])) }
}

/** The address of the documentation of an error; of a word that a plugin chose, that of the list. */
export const docsOf = ({ mount, byWord }: ErrorDocs, error: string): string =>
  byWord.has(error) ? `${mount}/errors/${error}` : `${mount}/errors`

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
export const errorList = (docs: ErrorDocs) => ({
  errors: [...docs.byWord.values()].map((doc) => ({ ...doc, docs: docsOf(docs, doc.error) })),
  others: 'A word that is not listed comes from a plugin: its message says what is wrong.'
})
