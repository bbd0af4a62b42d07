// The filters of records, described once: for reads, the dashboard's API, agents, reports and alerts.

/** Filters of equality: the field of a row, and what the value is. */
export const EXACT_FILTERS = {
  kind: { field: 'kind', description: 'event, error, span, state or usage.' },
  name: { field: 'name', description: 'Registered event name.' },
  severity: { field: 'severity', description: 'debug, info, warn, error or fatal.' },
  env: { field: 'env', description: 'prod, staging or dev.' },
  service: { field: 'service', description: 'Service that sent it.' },
  release: { field: 'release', description: 'Release that sent it.' },
  traceId: { field: 'traceId', description: 'Trace id.' },
  subject: { field: 'subjectKeys', description: 'Subject ref, <type>:<id>.' },
  fingerprint: { field: 'error.fingerprint', description: 'Fingerprint of an error.' },
  meter: { field: 'usage.meter', description: 'Meter of usage.' },
  billedTo: { field: 'usage.billedTo', description: 'Subject ref that usage is billed to.' },
  tenant: {
    field: 'tenantId',
    description: 'One tenant; ignored for viewers of a single tenant.'
  }
} as const

export type ExactFilter = keyof typeof EXACT_FILTERS

export const EXACT_FILTER_NAMES = Object.keys(EXACT_FILTERS) as readonly ExactFilter[]

/** How a search is written. */
export const SEARCH_WORDS =
  'Text in names, messages, bodies and attributes: words, "quoted texts", - before what must not be there, /expressions/ (/i in upper or lower case).'

/** Characters of a value. */
export const MAX_FILTER_TEXT = 4096
/** Terms of each filter that is a list. */
export const MAX_FILTER_TERMS = 20

export interface MetricFilter {
  readonly key: string
  /** `gte` greater or equal, `lte` less or equal. */
  readonly op: 'gte' | 'lte'
  readonly value: number
}

export interface ExcludedValue {
  /** Name of an equality filter, or `attrs.<key>`. */
  readonly field: string
  readonly value: string
}

/** All given terms must hold. */
export interface RecordFilters extends Readonly<Partial<Record<ExactFilter, string>>> {
  /** Only records without a parent span. With kind `span` those are root spans: one of each trace. */
  readonly isRoot?: boolean
  /** Key to text. Keys keep their dots. */
  readonly attrs?: ReadonlyMap<string, string>
  readonly metrics?: readonly MetricFilter[]
  /** Name of an event: only records of people who did it in the range of the read. */
  readonly did?: string
  /** With `did`: and did not do this one in it. */
  readonly didNot?: string
  /** Words, "quoted texts", `-` before what must not be there, /expressions/: in names, messages, bodies, attributes. */
  readonly q?: string
  /** Actor types to leave out. A record without actor stays. */
  readonly excludeActors?: readonly string[]
  /** Values to leave out. A record without the value stays. */
  readonly exclude?: readonly ExcludedValue[]
}
