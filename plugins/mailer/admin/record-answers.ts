// What the operations of events and of the audit log answer, written for their readers.
import { Type } from '@keelson/sdk'
import { fieldChangeSchema } from '../ledger/changes-between.ts'
import { rowNamesSchema } from '../ledger/names.ts'
import { time } from './admin-operation.ts'

const optional = Type.Optional
const text = Type.String()
const count = Type.Integer()

/** Events that are registered, and those that are seen. */
export const eventsSchema = Type.Object(
  {
    registered: Type.Array(
      Type.Object({
        name: text,
        dedupePolicy: Type.Enum(['once-per-contact', 'once-per-day', 'every-time'])
      })
    ),
    seen: Type.Array(text, { description: 'Names of stored events that are not registered.' }),
    stats: Type.Record(
      text,
      Type.Object(
        { total: count, last7d: count, last30d: count, firstAt: time, lastAt: time },
        { title: 'EventStats' }
      ),
      { description: 'By name; names without an event are left out.' }
    )
  },
  { title: 'Events' }
)

const entry = {
  _id: text,
  at: time,
  actor: text,
  action: text,
  resource: Type.Object({ collection: text, id: optional(text), slug: optional(text) }),
  before: optional(Type.Unknown({ description: 'The fields that changed, as they were.' })),
  after: optional(Type.Unknown({ description: 'The fields that changed, as they are since.' })),
  diffSummary: optional(text),
  ip: optional(text),
  userAgent: optional(text),
  requestId: optional(text),
  names: optional(rowNamesSchema),
  erasedAt: optional(
    Type.String({ format: 'date-time', description: 'When a contact was taken out of it.' })
  )
}

/** An entry of the audit log. */
export const auditLineSchema = Type.Object(entry, { title: 'MailAuditEntry' })

/** An entry with what it changed, field by field. */
export const auditEntrySchema = Type.Object(
  { ...entry, changes: Type.Array(fieldChangeSchema) },
  { title: 'MailAuditDetail' }
)
