// The one shape of an error in the answers of our own APIs.
import { type Static, Type } from '../typebox.ts'

/** The schema of one field that is wrong, within an error answer. */
export const fieldFaultSchema = Type.Object({
  path: Type.String({ description: 'Where in the body, as `steps[2].value`.' }),
  message: Type.String()
})

/** The schema of an error answer, for the `response` of a route. Further fields are kept. */
export const errorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'A word for programs.' }),
    code: Type.String({ description: 'The code of the error table, or the word.' }),
    message: Type.String({ description: 'What is wrong, as a sentence.' }),
    fix: Type.Optional(Type.String({ description: 'What to do about it.' })),
    fields: Type.Optional(Type.Array(fieldFaultSchema))
  },
  { additionalProperties: true, title: 'Error' }
)

/** A fault of one field of the request. */
export type FieldFault = Static<typeof fieldFaultSchema>

/** An error as our own APIs answer it. Endpoints of a standard keep the standard's shape. */
export type ErrorBody = Static<typeof errorBodySchema>

/** What an error answer is made from. */
export interface ErrorBodyParts {
  /** The word that a document fixes. Default: the code. */
  readonly error?: string
  /** Default: the word. */
  readonly code?: string
  readonly message: string
  readonly fix?: string | undefined
  readonly fields?: readonly FieldFault[] | undefined
}

/**
 * The body of an error answer: `{ error, code, message, fix?, fields? }`. At least one of `error` and
 * `code` must be given. `more` adds fields that the endpoint documents.
 *
 * @example
 * reply.code(409).send(errorBody({ error: 'not_paused', message: 'The broadcast is not paused.' }))
 */
export function errorBody<More extends object = object>(
  parts: ErrorBodyParts & ({ readonly error: string } | { readonly code: string }),
  more?: More
): ErrorBody & More {
  const { message, fix, fields } = parts
  const error = parts.error ?? parts.code ?? ''
  return {
    error,
    code: parts.code ?? error,
    message,
    ...(fix !== undefined && { fix }),
    ...(fields !== undefined && { fields: [...fields] }),
    ...more
  } as ErrorBody & More
}
