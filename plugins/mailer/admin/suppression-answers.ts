// What the operations of suppressions answer, written for their readers.
import { Type } from '@keelson/sdk'
import { REASONS } from '../audience/contacts/suppression-rules.ts'
import { rowNamesSchema } from '../ledger/names.ts'
import { time } from './admin-operation.ts'

const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** Why an address is suppressed. */
export const suppressionReasonSchema = Type.Enum([...REASONS])

/** An address that gets no mail. */
export const suppressionSchema = Type.Object(
  {
    _id: Type.String(),
    email: nullable(Type.String(), 'null: the contact was erased, the hash stays.'),
    emailHash: Type.String({ description: 'SHA-256 of the address, hex.' }),
    scope: Type.String({
      description: '`all`, `marketing`, `transactional`, `marketing_pause` or `category:<id>`.'
    }),
    reason: suppressionReasonSchema,
    source: Type.Optional(Type.String()),
    notes: Type.Optional(Type.String()),
    addedAt: time,
    expiresAt: nullable(time, 'null: never.'),
    names: Type.Optional(rowNamesSchema)
  },
  { title: 'Suppression' }
)

/** Which suppressions a list or a file has; what is set must hold. */
export const suppressionFilter = {
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  scope: Type.Optional(
    Type.String({ pattern: '^(all|marketing|transactional|marketing_pause|category:.{1,64})$' })
  ),
  reason: Type.Optional(suppressionReasonSchema)
}
