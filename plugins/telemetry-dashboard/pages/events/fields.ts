// The fields that events can be filtered by, with what can be offered for each.
import type { FilterField } from '@keelson/ui'
import { ACTOR, attrField, EXACT_FIELDS, metricField } from '../address.ts'
import type { RecordRow } from '../records/record.ts'
import { attrKeys, eventNames, metricKeys, type RegistryAnswer } from '../registry.ts'

type Translate = (key: string) => string

const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal']
const ENVS = ['prod', 'staging', 'dev']

/** Different values of a field among the rows that are shown, in their order. */
const seen = (rows: readonly RecordRow[], read: (row: RecordRow) => string | undefined): string[] =>
  [...new Set(rows.map(read).filter((value) => value !== undefined && value !== ''))] as string[]

function offered(
  field: (typeof EXACT_FIELDS)[number],
  registry: RegistryAnswer,
  rows: readonly RecordRow[]
): readonly string[] {
  switch (field) {
    case 'name':
      return eventNames(registry)
    case 'kind':
      return registry.kinds
    case 'severity':
      return SEVERITIES
    case 'env':
      return ENVS
    case 'fingerprint':
      return seen(rows, (row) => row.error?.fingerprint)
    case 'tenant':
      return seen(rows, (row) => row.tenantId)
    case 'meter':
    case 'billedTo':
      return seen(rows, (row) => row.usage?.[field])
    default:
      return seen(rows, (row) => row[field])
  }
}

/** Envelope fields, then the attributes and metrics of the chosen event (or of all), then actors. */
export function filterFields(
  registry: RegistryAnswer,
  rows: readonly RecordRow[],
  name: string | null,
  t: Translate
): FilterField[] {
  const exact = EXACT_FIELDS.filter((id) => id !== 'tenant' || registry.platform).map(
    (id): FilterField => ({
      id,
      label: t(`fact.${id}`),
      values: offered(id, registry, rows),
      free: id !== 'kind' && id !== 'severity',
      negatable: true,
      multiple: true
    })
  )
  const attrs = attrKeys(registry, name).map(
    (key): FilterField => ({
      id: attrField(key),
      label: key,
      values: seen(rows, (row) => row.attrs?.[key]),
      negatable: true,
      multiple: true
    })
  )
  const metrics = metricKeys(registry, name).map(
    (key): FilterField => ({
      id: metricField(key),
      label: key,
      values: [],
      multiple: true
    })
  )
  const actor: FilterField = {
    id: ACTOR,
    label: t('fact.actor'),
    values: seen(rows, (row) => row.actorType),
    negatable: true,
    multiple: true
  }
  return [...exact, ...attrs, ...metrics, actor]
}
