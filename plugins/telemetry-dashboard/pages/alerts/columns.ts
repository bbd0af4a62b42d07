// The columns of rules and of their changes.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { amountText } from '../amount.ts'
import type { ChangeAnswer, RuleAnswer } from './rule.ts'
import { conditionText, type Sayable, signalText } from './rule-words.ts'

export interface AlertWords extends Sayable {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
}

const TONES: Readonly<Record<string, string>> = { firing: 'bad', resolved: 'good', ok: '' }

export function stateTag(state: string, { t }: Sayable): TemplateResult {
  return html`<span class="tag ${TONES[state] ?? ''}">${t(`alert.state.${state}`)}</span>`
}

const valueText = (value: number | null, { format }: AlertWords): string =>
  value === null ? '–' : amountText(value, format)

export function ruleColumns(words: AlertWords): TableColumn<RuleAnswer>[] {
  const { t, format, now, isPlatform } = words
  const columns: TableColumn<RuleAnswer>[] = [
    {
      id: 'state',
      header: t('alert.state'),
      width: 116,
      cell: (rule) =>
        rule.enabled
          ? stateTag(rule.state, words)
          : html`<span class="tag">${t('alert.state.off')}</span>`,
      hint: ({ problem }) => problem ?? undefined
    },
    {
      id: 'name',
      header: t('alert.name'),
      link: true,
      cell: ({ name, problem }) =>
        problem === null ? name : html`${name} <span class="tag warn">${t('alert.problem')}</span>`
    },
    {
      id: 'what',
      header: t('alert.watches'),
      grow: 2,
      hideBelow: 560,
      cell: (rule) =>
        html`${signalText(rule.signal, words)} <span class="dim">${conditionText(rule, words)}</span>`,
      hint: (rule) => `${signalText(rule.signal, words)}, ${conditionText(rule, words)}`
    },
    {
      id: 'value',
      header: t('alert.value'),
      width: 84,
      align: 'end',
      cell: ({ value }) => valueText(value, words)
    },
    {
      id: 'since',
      header: t('alert.since'),
      width: 136,
      quiet: true,
      hideBelow: 420,
      cell: ({ since }) => timeText(since, now, format),
      hint: ({ since }) => format.dateTime(since)
    }
  ]
  if (!isPlatform) return columns
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 90 }
  return [...columns, { ...tenant, cell: ({ tenantId }) => tenantId }]
}

/** What a change says. English is the summary of the server. */
export function summaryText(
  { to, ruleName, group, value, previous, summary }: ChangeAnswer,
  { t, format }: Pick<AlertWords, 't' | 'format'>
): string {
  const key = `about.alert.${to}`
  const name = group === undefined ? ruleName : `${ruleName} (${group})`
  const number = (one: number | null) => (one === null ? '–' : format.number(one))
  const words = t(key, { name, value: number(value) })
  if (words === key) return summary
  return previous === null
    ? words
    : `${words} ${t('about.alert.before', { previous: number(previous) })}`
}

export function changeColumns(words: AlertWords): TableColumn<ChangeAnswer>[] {
  const { t, format, now, isPlatform } = words
  const columns: TableColumn<ChangeAnswer>[] = [
    {
      id: 'at',
      header: t('column.time'),
      width: 136,
      quiet: true,
      cell: ({ at }) => timeText(at, now, format),
      hint: ({ at }) => format.dateTime(at)
    },
    { id: 'to', header: t('alert.state'), width: 116, cell: ({ to }) => stateTag(to, words) },
    {
      id: 'summary',
      header: t('alert.summary'),
      wraps: true,
      cell: (change) => summaryText(change, words),
      hint: (change) => summaryText(change, words)
    },
    {
      id: 'sent',
      header: t('alert.sent'),
      width: 150,
      hideBelow: 620,
      cell: ({ deliveries }) => deliveryText(deliveries, words),
      hint: ({ deliveries }) => deliveries.flatMap(({ problem }) => problem ?? []).join(', ')
    }
  ]
  if (!isPlatform) return columns
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 90 }
  return [...columns, { ...tenant, cell: ({ tenantId }) => tenantId }]
}

export function deliveryText(
  deliveries: ChangeAnswer['deliveries'],
  { t }: Sayable
): TemplateResult | string {
  if (deliveries.length === 0) return html`<span class="dim">${t('alert.toNobody')}</span>`
  return deliveries
    .map(({ target, state }) => `${target}: ${t(`alert.delivery.${state}`)}`)
    .join(', ')
}
