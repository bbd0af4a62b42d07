// What tools answer that no read of the API describes.
import { optional, Type } from '@keelson/sdk'
import { KINDS } from '../contracts/telemetry-registry.ts'
import { count, date, flag, openObject, text, textOrNull, texts } from '../schemas/parts.ts'
import { quarantineRowSchema } from '../schemas/system.ts'

const origin = Type.Enum(['saved', 'configured', 'derived'])

export const reportsAnswer = Type.Object({
  reports: Type.Array(
    Type.Object({
      name: text(),
      page: text('Page of the dashboard that shows it.'),
      origin,
      shared: optional(flag('Of a saved view: others see it too.')),
      display: Type.Unsafe<unknown>({
        description: 'How the page shows it; null without a choice.'
      })
    })
  )
})

export const reportAnswer = Type.Object({
  report: Type.Object({
    name: text(),
    page: text(),
    origin,
    shared: optional(flag()),
    query: openObject('Filters, range and display, as in the address of the page.')
  }),
  result: openObject(
    'Documents of a rollup family, a series, or records, by the kind of the report.'
  )
})

export const describedTelemetry = Type.Object({
  kinds: Type.Array(Type.Enum([...KINDS])),
  scope: text('Tenant whose records are read; * for all.'),
  registry: openObject('By event name: kind, attributes, metrics and rollup families.')
})

export const tenantsAnswer = Type.Object({
  tenants: Type.Array(
    Type.Object({
      tenantId: text(),
      events: count('Records of the last 30 days.'),
      series: count('Event names and services seen in them.'),
      families: texts('Rollup families that these events feed.'),
      lastActivity: date()
    })
  ),
  truncated: flag('There are more tenants.')
})

const { raw: _raw, ...refusedRow } = quarantineRowSchema.properties

export const healthAnswer = Type.Object({
  counters: openObject('Numbers of this process since its start, by what they count.'),
  quarantine: Type.Array(Type.Object({ ...refusedRow, tenantId: optional(textOrNull()) }), {
    description: 'The newest refused writes.'
  }),
  indexCount: count('Indexes of stored records.'),
  indexBudget: count('So many are allowed.')
})
