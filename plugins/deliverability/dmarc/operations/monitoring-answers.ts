// What the operations of monitoring answer.
import { saidSchema, Type, text } from '@keelson/sdk'
import { monitoringSchema } from '../config/monitoring-schema.ts'

const date = Type.String({ description: 'ISO 8601.' })
const count = Type.Integer({ minimum: 0 })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const deliverySchema = Type.Object(
  {
    status: Type.Enum(['delivered', 'no_handler', 'failed']),
    problem: Type.Optional(text)
  },
  { title: 'AlertDelivery' }
)

const alertSchema = Type.Object(
  {
    id: text,
    kind: text,
    domain: text,
    subject: text,
    severity: Type.Enum(['critical', 'warning', 'info']),
    message: text,
    said: Type.Optional(saidSchema),
    state: Type.Enum(['open', 'resolved']),
    openedAt: date,
    updatedAt: date,
    resolvedAt: orNull(date),
    firedAt: date,
    fireCount: count,
    isPending: Type.Boolean({ description: 'A message about it waits to be sent.' }),
    lastDelivery: orNull(
      Type.Object({
        status: Type.Enum(['delivered', 'no_handler', 'failed']),
        problem: Type.Optional(text),
        at: date
      })
    )
  },
  { title: 'DmarcAlert' }
)

const checkSchema = Type.Object(
  {
    domain: text,
    checkedAt: date,
    findings: Type.Array(
      Type.Object({
        code: text,
        severity: Type.Enum(['error', 'warn', 'info']),
        message: text,
        said: Type.Optional(saidSchema),
        fix: Type.Optional(Type.Object({ name: text, type: Type.Literal('TXT'), value: text }))
      })
    ),
    record: orNull(text),
    recordAt: orNull(text),
    organisation: text,
    questions: count,
    spf: Type.Object({ record: orNull(text), lookups: count, voidLookups: count }),
    dkim: Type.Array(Type.Object({ selector: text, state: text, bits: orNull(Type.Integer()) })),
    reverse: Type.Array(
      Type.Object({ ip: text, name: orNull(text), state: Type.Enum(['ok', 'missing', 'mismatch']) })
    ),
    mtaSts: text,
    tlsRpt: text,
    bimi: text
  },
  { title: 'DnsCheck' }
)

const settingsParts = {
  settings: monitoringSchema,
  overrides: Type.Object({}, { additionalProperties: true })
}

export const settingsAnswer = Type.Object(
  { ok: Type.Literal(true), ...settingsParts },
  { title: 'DmarcSettings' }
)

export const monitoringAnswer = Type.Object(
  {
    ...settingsParts,
    isDnsOff: Type.Boolean(),
    alerts: Type.Array(alertSchema, { description: 'The newest first.' }),
    dnsChecks: Type.Array(checkSchema)
  },
  { title: 'DmarcMonitoring' }
)

export const checksSchema = Type.Object(
  {
    ran: Type.Boolean(),
    reason: Type.Optional(text),
    checks: Type.Array(checkSchema)
  },
  { title: 'DnsChecks' }
)

export const evaluatedSchema = Type.Object(
  {
    fired: Type.Array(Type.Object({ id: text, event: text }))
  },
  { title: 'EvaluatedAlerts' }
)
