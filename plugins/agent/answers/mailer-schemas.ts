// Schemas of the mailer's operations that those of the agent API have in them: the mailer gives them at registration.

import type { MailerAnswer, MailerInput, MailerOperationId } from '@keelson/mailer/contracts'
import { type BoundOperation, type TSchema, Type } from '@keelson/sdk'
import type { TUnsafe } from '@keelson/sdk/typebox'

type Body<Id extends MailerOperationId> =
  MailerInput<Id> extends { readonly body: infer T } ? T : never
type Query<Id extends MailerOperationId> =
  MailerInput<Id> extends { readonly query?: infer T } ? NonNullable<T> : never
type Field<T, Key extends keyof T> = TUnsafe<Exclude<T[Key], undefined>>

/** The schemas by the id of their operation, or by one of their fields. */
export interface MailerSchemas {
  answer<Id extends MailerOperationId>(id: Id): TUnsafe<MailerAnswer<Id>>
  answerField<Id extends MailerOperationId, Key extends keyof MailerAnswer<Id> & string>(
    id: Id,
    field: Key
  ): Field<MailerAnswer<Id>, Key>
  body<Id extends MailerOperationId>(id: Id): TUnsafe<Body<Id>>
  bodyField<Id extends MailerOperationId, Key extends keyof Body<Id> & string>(
    id: Id,
    field: Key
  ): Field<Body<Id>, Key>
  query<Id extends MailerOperationId>(id: Id): TUnsafe<Query<Id>>
}

type Part = 'answer' | 'body' | 'query'
type Find = (id: string, part: Part, field?: string) => TSchema

/** Those of the mailer that the agent API is beside. */
export function boundSchemas(operations: readonly BoundOperation[]): MailerSchemas {
  const byId = new Map(operations.map(({ operation }) => [operation.id, operation]))
  return schemasBy((id, part, field) => {
    const schema = byId.get(id)?.[part]
    const found = field === undefined ? schema : fieldsOf(schema)[field]
    if (found === undefined)
      throw new TypeError(`the mailer has no ${part} of ${id} ${field ?? ''}`)
    return found
  })
}

/** Their names alone: for manifests, which say what operations are and not what they take. */
export const namedSchemas: MailerSchemas = schemasBy((id, part, field) =>
  Type.Unsafe({ $ref: [id, part, ...(field === undefined ? [] : [field])].join('/') })
)

function schemasBy(find: Find): MailerSchemas {
  const schemas = {
    answer: (id: string) => find(id, 'answer'),
    answerField: (id: string, field: string) => find(id, 'answer', field),
    body: (id: string) => find(id, 'body'),
    bodyField: (id: string, field: string) => find(id, 'body', field),
    query: (id: string) => find(id, 'query')
  }
  return schemas as unknown as MailerSchemas
}

const fieldsOf = (schema: TSchema | undefined): Readonly<Record<string, TSchema>> =>
  (schema as { readonly properties?: Readonly<Record<string, TSchema>> } | undefined)?.properties ??
  {}
