// Rules of alerts as forms and sentences: a draft from an address or a rule, and the spec of a draft.
import type {
  AlertChange,
  AlertCondition,
  AlertPreview,
  AlertRule,
  AlertRuleSpec,
  AlertSignal
} from '@keelson/telemetry'
import type { AsJson, Filter } from '@keelson/ui'
import { attrField, attrKey, filtersOf } from '../address.ts'
import { watchable } from '../alert-link.ts'

/** A rule, a change and a preview as JSON brings them. */
export type RuleAnswer = AsJson<AlertRule>
export type ChangeAnswer = AsJson<AlertChange>
export type PreviewAnswer = AsJson<AlertPreview>

export const SOURCES = ['series', 'rollup', 'distinct', 'funnel'] as const
export const CONDITIONS = ['above', 'below', 'rise', 'drop', 'no-data'] as const
export const WINDOWS = [5, 15, 60, 360, 1440, 10_080, 43_200] as const

/** What a form holds. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly source: (typeof SOURCES)[number]
  /** Of a series. */
  readonly filters: readonly Filter[]
  /** `count`, `sum:<metric>`, `avg:<metric>`. */
  readonly measure: string
  /** Of a series: one alert for each value of this; empty: one for all. */
  readonly by: string
  /** Family of a rollup or a distinct count. */
  readonly as: string
  /** Comma-separated. */
  readonly dims: string
  /** Of a funnel, comma-separated. */
  readonly stages: string
  readonly stage: string
  readonly value: string
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
}

const EMPTY: Draft = {
  name: '',
  description: '',
  enabled: true,
  source: 'series',
  filters: [],
  measure: 'count',
  by: '',
  as: '',
  dims: '',
  stages: '',
  stage: '',
  value: 'pctOfFirst',
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
    filters,
    measure: params.get('measure') ?? 'count',
    by: params.get('by') ?? '',
    as: params.get('as') ?? '',
    stages: params.get('stages') ?? '',
    condition: source === 'funnel' ? 'below' : 'above',
    amount: params.get('amount') ?? '',
    windowMinutes: source === 'funnel' ? 10_080 : source === 'series' ? 60 : 1440
  }
}

function signalDraft(signal: AlertSignal): Partial<Draft> {
  switch (signal.source) {
    case 'series': {
      const exact = Object.entries(signal.filters ?? {})
      const attrs = Object.entries(signal.attrs ?? {})
      return {
        filters: [
          ...exact.map(([field, value]) => ({ field, value })),
          ...attrs.map(([key, value]) => ({ field: attrField(key), value }))
        ],
        measure: signal.measure ?? 'count',
        by: signal.by ?? ''
      }
    }
    case 'rollup':
      return {
        as: signal.as,
        dims: (signal.dims ?? []).join(', '),
        measure: signal.measure ?? 'count'
      }
    case 'distinct':
      return { as: signal.as }
    case 'funnel':
      return {
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
    webhook: deliver.webhook?.url ?? '',
    minimum: rule.minimum === undefined ? '' : String(rule.minimum),
    ...mailDraft(deliver.mail)
  }
}

/** Whom a rule mails. */
export function recipientsOf(mail: RuleAnswer['deliver']['mail']): readonly string[] {
  if (mail === undefined) return []
  return 'to' in mail ? mail.to : mail.externalIds
}

function mailDraft(mail: RuleAnswer['deliver']['mail']): Partial<Draft> {
  if (mail === undefined) return {}
  if ('to' in mail) return { mailTo: mail.to.join(', ') }
  return { template: mail.templateSlug, contacts: mail.externalIds.join(', ') }
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

function signalOf(draft: Draft): AlertSignal {
  const { source, filters, measure, by, as, dims, stages, stage, value } = draft
  const measured = measure === 'count' ? {} : { measure }
  switch (source) {
    case 'series': {
      const exact = filters.filter(({ field }) => attrKey(field) === undefined)
      const attrs = filters.flatMap(({ field, value: text }) => {
        const key = attrKey(field)
        return key === undefined ? [] : [[key, text] as const]
      })
      return {
        source,
        ...(exact.length > 0 && {
          filters: Object.fromEntries(exact.map(({ field, value: text }) => [field, text]))
        }),
        ...(attrs.length > 0 && { attrs: Object.fromEntries(attrs) }),
        ...measured,
        ...(by !== '' && { by })
      }
    }
    case 'rollup':
      return { source, as, ...(list(dims).length > 0 && { dims: list(dims) }), ...measured }
    case 'distinct':
      return { source, as }
    case 'funnel':
      return {
        source,
        stages: list(stages),
        ...(stage !== '' && { stage }),
        value: value as 'subjects'
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

/** What is sent to be saved or tried. A preview needs no name. */
export function specOf(draft: Draft, nameless = ''): AlertRuleSpec {
  const { name, description, enabled, windowMinutes, minimum } = draft
  const deliver = deliveryOf(draft)
  return {
    name: name.trim() || nameless,
    ...(description !== '' && { description }),
    enabled,
    windowMinutes,
    signal: signalOf(draft),
    condition: conditionOf(draft),
    ...(minimum !== '' && { minimum: Number(minimum) }),
    ...(deliver !== undefined && { deliver })
  }
}

export interface Sayable {
  t(key: string, values?: Record<string, string | number>): string
  duration(ms: number): string
}

/** What a rule watches, as words: `count of page.viewed, plan=pro`. */
export function signalText(signal: AlertSignal, { t }: Sayable): string {
  switch (signal.source) {
    case 'series': {
      const terms = [
        ...Object.entries(signal.filters ?? {}).map(([key, value]) =>
          key === 'name' ? value : `${key} ${value}`
        ),
        ...Object.entries(signal.attrs ?? {}).map(([key, value]) => `${key}=${value}`)
      ]
      const of = terms.length === 0 ? t('alert.everything') : terms.join(', ')
      const { measure = 'count' } = signal
      const isRate = measure === 'error_rate'
      const what = t('alert.of', {
        measure: isRate ? t('alert.measure.error_rate') : measure,
        of
      })
      if (signal.by === undefined) return what
      return t('alert.of.by', { what, by: signal.by.replace(/^attr:/, '') })
    }
    case 'rollup': {
      const of = [signal.as, ...(signal.dims ?? [])].join(', ')
      return t('alert.of', { measure: signal.measure ?? 'count', of })
    }
    case 'distinct':
      return t('alert.distinct', { of: signal.as })
    case 'funnel': {
      const stage = signal.stage ?? signal.stages[signal.stages.length - 1] ?? ''
      return t('alert.funnel', { value: t(`alert.value.${signal.value ?? 'pctOfFirst'}`), stage })
    }
  }
}

/** When a rule fires, as words: `above 5 within 1 hr`. */
export function conditionText(
  rule: Pick<AlertRule, 'condition' | 'windowMinutes' | 'minimum'>,
  words: Sayable
): string {
  const when = whenText(rule, words)
  const { minimum } = rule
  return minimum === undefined ? when : words.t('alert.when.minimum', { when, count: minimum })
}

function whenText(
  { condition, windowMinutes }: Pick<AlertRule, 'condition' | 'windowMinutes'>,
  { t, duration }: Sayable
): string {
  const window = duration(windowMinutes * 60_000)
  switch (condition.type) {
    case 'threshold':
      return t(`alert.when.${condition.op}`, { value: condition.value, window })
    case 'change':
      return t(`alert.when.${condition.op}`, { value: condition.percent, window })
    case 'no-data':
      return t('alert.when.no-data', { window })
  }
}
