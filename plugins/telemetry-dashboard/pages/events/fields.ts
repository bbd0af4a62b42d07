// The fields that events can be filtered by, with what can be offered for each.
import { type FilterField, rangeBounds, readRange } from '@keelson/ui'
import { ACTOR, attrField, DOINGS, EXACT_FIELDS, metricField, SEARCH } from '../address.ts'
import type { Dashboard } from '../dashboard.ts'
import { attrKeys, eventNames, metricKeys, type RegistryAnswer } from '../registry.ts'
import { path } from '../requests.ts'

const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal']
const ENVS = ['prod', 'staging', 'dev']
/** Rows that suggestions are taken from: an index gives the newest ones. */
const NEWEST = '10000'
/** Fields of usage alone. */
const OF_USAGE = new Set(['meter', 'billedTo'])

type Values = NonNullable<FilterField['values']>

/** Values that the rows of the range have, the most frequent first. */
function stored(
  { page, api }: Dashboard,
  by: string,
  asked: Readonly<Record<string, string>>
): Values {
  return async (contains, signal) => {
    const { from, to } = rangeBounds(readRange(page.params) ?? { range: '7d' }, new Date())
    const params = new URLSearchParams({ ...asked, by, newest: NEWEST })
    if (contains !== '') params.set('contains', contains)
    const span = { from: from.getTime(), to: to.getTime() }
    const answer = await api.read<{ groups: { value: string | null }[] }>(
      path('breakdown', params, span, {}),
      signal
    )
    return answer.groups.flatMap(({ value }) => value ?? [])
  }
}

/** Envelope fields, then the attributes and metrics of the chosen event (or of all), then actors. */
export function filterFields(
  registry: RegistryAnswer,
  dashboard: Dashboard,
  name: string | null
): FilterField[] {
  const { t } = dashboard.page
  const [kind = '', ...others] = registry.kinds
  const asked = { ...(name !== null && { name }), ...(others.length === 0 && { kind }) }
  const known: Readonly<Record<string, readonly string[]>> = {
    name: eventNames(registry),
    kind: registry.kinds,
    severity: SEVERITIES,
    env: ENVS,
    traceId: []
  }
  const field = (id: string, label: string, by = id): FilterField => ({
    id,
    label,
    values: known[id] ?? stored(dashboard, by, asked),
    free: id !== 'kind' && id !== 'severity',
    negatable: true,
    multiple: true
  })
  const exact = EXACT_FIELDS.filter(
    (id) =>
      (id !== 'tenant' || registry.platform) &&
      (!OF_USAGE.has(id) || registry.kinds.includes('usage'))
  )
  return [
    ...exact.map((id) => field(id, t(`fact.${id}`), id === 'tenant' ? 'tenantId' : id)),
    ...attrKeys(registry, name).map((key) => field(attrField(key), key, `attr:${key}`)),
    ...metricKeys(registry, name).map((key) => ({
      id: metricField(key),
      label: key,
      values: [],
      multiple: true
    })),
    ...DOINGS.map((id) => ({
      id,
      label: t(`fact.${id}`),
      values: eventNames(registry),
      free: true
    })),
    { id: SEARCH, label: t('fact.q'), values: [], free: true },
    field(ACTOR, t('fact.actor'), 'actorType')
  ]
}
