// Rules of alerts as forms: a draft from an address or a rule, and the spec of a draft.
import type {
  AlertChange,
  AlertCondition,
  AlertPreview,
  AlertRule,
  AlertRuleSpec,
  AlertSignal,
  MetricRead
} from '@keelson/telemetry'
import { type AsJson, addedParams, type Filter } from '@keelson/ui'
import { attrField, attrKey, filterChanges, filtersOf } from '../address.ts'
import { watchable } from '../alert-link.ts'

/** A rule, a change and a preview as JSON brings them. */
export type RuleAnswer = AsJson<AlertRule>
export type ChangeAnswer = AsJson<AlertChange>
export type PreviewAnswer = AsJson<AlertPreview>

export const SOURCES = ['series', 'metric', 'rollup', 'distinct', 'funnel'] as const
export const CONDITIONS = ['above', 'below', 'rise', 'drop', 'no-data'] as const
export const WINDOWS = [5, 15, 60, 360, 1440, 10_080, 43_200] as const

/** What a form holds. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly source: (typeof SOURCES)[number]
  /** Of a series or a metric. */
  readonly filters: readonly Filter[]
  /** Of a metric that came over OTLP: its name. */
  readonly metric: string
  /** `count`, `sum:<metric>`, `avg:<metric>`; of a metric `rate`, `p95`. */
  readonly measure: string
  /** Of a series or a metric: one alert for each value of this; empty: one for all. */
  readonly by: string
  /** Family of a rollup or a distinct count. */
  readonly as: string
  /** Comma-separated. */
  readonly dims: string
  /** Of a funnel, comma-separated. */
  readonly stages: string
  readonly stage: string
  readonly value: string
  /** Of a funnel or a distinct count: only people of this type; empty: all. */
  readonly subjectType: string
  readonly condition: (typeof CONDITIONS)[number]
  readonly amount: string
  readonly windowMinutes: number
  /** Records a window must hold; empty: one is enough. */
  readonly minimum: string
  readonly webhook: string
  /** Addresses, comma-separated. */
  readonly mailTo: string
  readonly template: string
  readonly contacts: string
  /** The rule that is changed: parts that a form leaves as they were are sent as they were. */
  readonly saved?: RuleAnswer
}

const EMPTY: Draft = {
  name: '',
  description: '',
  enabled: true,
  source: 'series',
  filters: [],
  metric: '',
  measure: 'count',
  by: '',
  as: '',
  dims: '',
  stages: '',
  stage: '',
  value: 'pctOfFirst',
  subjectType: '',
  condition: 'above',
  amount: '',
  windowMinutes: 60,
  minimum: '',
  webhook: '',
  mailTo: '',
  template: '',
  contacts: ''
}

const oneOf = <T extends string>(choices: readonly T[], asked: string | null, otherwise: T): T =>
  choices.find((choice) => choice === asked) ?? otherwise

/** The draft that an address asks for: another page's query, with what to watch of it. */
export function draftOf(params: URLSearchParams): Draft {
  const source = oneOf(SOURCES, params.get('source'), 'series')
  const filters = watchable(filtersOf(params))
  return {
    ...EMPTY,
    source,
    filters: source === 'metric' ? filters.filter(isOfPoints) : filters,
    metric: params.get('metric') ?? '',
    measure: params.get('measure') ?? 'count',
    by: params.get('by') ?? '',
    as: params.get('as') ?? '',
    stages: params.get('stages') ?? '',
    condition: source === 'funnel' ? 'below' : 'above',
    amount: params.get('amount') ?? '',
    windowMinutes: FIRST_WINDOW[source]
  }
}

const FIRST_WINDOW: Readonly<Record<Draft['source'], number>> = {
  series: 60,
  metric: 5,
  rollup: 1440,
  distinct: 1440,
  funnel: 10_080
}

/** What a rule on a metric can filter by. */
export const isOfPoints = ({ field }: Pick<Filter, 'field'>): boolean =>
  ['env', 'service', 'release'].includes(field) || attrKey(field)?.startsWith('metric.') === false

/** The filters of a signal as those of a page. */
const filtersIn = ({ filters = {}, attrs = {} }: Filtered): Filter[] => [
  ...Object.entries(filters).map(([field, value]) => ({ field, value })),
  ...Object.entries(attrs).map(([key, value]) => ({ field: attrField(key), value }))
]

export type Filtered = Pick<
  Extract<AlertSignal, { source: 'series' | 'metric' }>,
  'filters' | 'attrs'
>

function signalDraft(signal: AlertSignal): Partial<Draft> {
  switch (signal.source) {
    case 'series':
      return {
        filters: filtersIn(signal),
        measure: signal.measure ?? 'count',
        by: signal.by ?? ''
      }
    case 'metric': {
      const { metric, measure, by = '' } = signal
      return { filters: filtersIn(signal), metric, measure, by }
    }
    case 'rollup':
      return {
        as: signal.as,
        dims: (signal.dims ?? []).join(', '),
        measure: signal.measure ?? 'count'
      }
    case 'distinct':
      return { as: signal.as, subjectType: signal.subjectType ?? '' }
    case 'funnel':
      return {
        subjectType: signal.subjectType ?? '',
        stages: signal.stages.join(),
        stage: signal.stage ?? '',
        value: signal.value ?? 'pctOfFirst'
      }
  }
}

function conditionDraft(condition: AlertCondition): Partial<Draft> {
  switch (condition.type) {
    case 'threshold':
      return { condition: condition.op, amount: String(condition.value) }
    case 'change':
      return { condition: condition.op, amount: String(condition.percent) }
    case 'no-data':
      return { condition: 'no-data' }
  }
}

/** The draft that changes a rule. */
export function draftOfRule(rule: RuleAnswer): Draft {
  const { name, description, enabled, signal, condition, windowMinutes, deliver } = rule
  return {
    ...EMPTY,
    name,
    description,
    enabled,
    windowMinutes,
    source: signal.source,
    ...signalDraft(signal),
    ...conditionDraft(condition),
    minimum: rule.minimum === undefined ? '' : String(rule.minimum),
    ...deliveryDraft(deliver),
    saved: rule
  }
}

/** Which page shows what a rule watches, and its parameters; undefined where none shows just that. */
export function questionOf(
  rule: RuleAnswer
): { readonly page: string; readonly params: Readonly<Record<string, string>> } | undefined {
  const { source, filters, metric, measure, by } = draftOfRule(rule)
  if (source !== 'series' && source !== 'metric') return undefined
  const asked = {
    ...addedParams(filterChanges(filters)),
    ...(measure !== 'count' && { measure }),
    ...(by !== '' && { by })
  }
  return source === 'metric'
    ? { page: 'metrics', params: { ...asked, metric } }
    : { page: 'events', params: asked }
}

/** Whom a rule mails. */
export function recipientsOf(mail: RuleAnswer['deliver']['mail']): readonly string[] {
  if (mail === undefined) return []
  return 'to' in mail ? mail.to : mail.externalIds
}

function deliveryDraft({ webhook, mail }: RuleAnswer['deliver']): Partial<Draft> {
  const to = mail !== undefined && 'to' in mail ? mail.to : []
  const ofTemplate = mail !== undefined && 'templateSlug' in mail ? mail : undefined
  return {
    webhook: webhook?.url ?? '',
    mailTo: to.join(', '),
    template: ofTemplate?.templateSlug ?? '',
    contacts: ofTemplate?.externalIds.join(', ') ?? ''
  }
}

/** A template goes to contacts; without one, addresses get our own text. */
function deliveryOf({ webhook, mailTo, template, contacts }: Draft): AlertRuleSpec['deliver'] {
  const to = list(mailTo)
  const mail =
    template !== ''
      ? { templateSlug: template, externalIds: list(contacts) }
      : to.length > 0
        ? { to }
        : undefined
  if (webhook === '' && mail === undefined) return undefined
  return {
    ...(webhook !== '' && { webhook: { url: webhook } }),
    ...(mail !== undefined && { mail })
  }
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function filteredBy(filters: readonly Filter[]): Filtered {
  const exact = filters.filter(({ field }) => attrKey(field) === undefined)
  const attrs = filters.flatMap(({ field, value: text }) => {
    const key = attrKey(field)
    return key === undefined ? [] : [[key, text] as const]
  })
  return {
    ...(exact.length > 0 && {
      filters: Object.fromEntries(exact.map(({ field, value: text }) => [field, text]))
    }),
    ...(attrs.length > 0 && { attrs: Object.fromEntries(attrs) })
  }
}

function signalOf(draft: Draft): AlertSignal {
  const { source, filters, metric, measure, by, as, dims, stages, stage, value, subjectType } =
    draft
  const measured = measure === 'count' ? {} : { measure }
  const grouped = by === '' ? {} : { by }
  const ofType = subjectType === '' ? {} : { subjectType }
  switch (source) {
    case 'series':
      return { source, ...filteredBy(filters), ...measured, ...grouped }
    case 'metric':
      return { source, metric, measure: measure as MetricRead, ...filteredBy(filters), ...grouped }
    case 'rollup':
      return { source, as, ...(list(dims).length > 0 && { dims: list(dims) }), ...measured }
    case 'distinct':
      return { source, as, ...ofType }
    case 'funnel':
      return {
        source,
        stages: list(stages),
        ...(stage !== '' && { stage }),
        value: value as 'subjects',
        ...ofType
      }
  }
}

function conditionOf({ condition, amount }: Draft): AlertCondition {
  switch (condition) {
    case 'no-data':
      return { type: 'no-data' }
    case 'above':
    case 'below':
      return { type: 'threshold', op: condition, value: Number(amount) }
    case 'rise':
    case 'drop':
      return { type: 'change', op: condition, percent: Number(amount) }
  }
}

/** Whether the form shows just what it showed of the saved part. A text may say less: a value may hold a comma. */
const isUntouched = (draft: Draft, shown: Partial<Draft>): boolean => {
  const now = Object.keys(shown).map((key) => [key, draft[key as keyof Draft]])
  return JSON.stringify(Object.fromEntries(now)) === JSON.stringify(shown)
}

function signalToSend(draft: Draft): AlertSignal {
  const signal = draft.saved?.signal
  const isSaved =
    signal !== undefined && isUntouched(draft, { source: signal.source, ...signalDraft(signal) })
  return isSaved ? signal : signalOf(draft)
}

function deliveryToSend(draft: Draft): AlertRuleSpec['deliver'] {
  const deliver = draft.saved?.deliver
  const isSaved = deliver !== undefined && isUntouched(draft, deliveryDraft(deliver))
  return isSaved ? deliver : deliveryOf(draft)
}

/** What is sent to be saved or tried. A preview needs no name. */
export function specOf(draft: Draft, nameless = ''): AlertRuleSpec {
  const { name, description, enabled, windowMinutes, minimum } = draft
  const deliver = deliveryToSend(draft)
  return {
    name: name.trim() || nameless,
    ...(description !== '' && { description }),
    enabled,
    windowMinutes,
    signal: signalToSend(draft),
    condition: conditionOf(draft),
    ...(minimum !== '' && { minimum: Number(minimum) }),
    ...(deliver !== undefined && { deliver })
  }
}
