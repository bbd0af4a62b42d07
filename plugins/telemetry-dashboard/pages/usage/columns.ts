// The columns of usage by meter, person or attribute.
import { type Format, shareCell, type TableColumn } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { figureText, keyHeading } from '../figures.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { COUNT, type UsageRow } from './usage.ts'

export interface UsageWords extends ValueLinks {
  readonly format: Format
  /** What the lines are of. */
  readonly label: string
  /** The field that a value filters by. */
  readonly field: string
  /** Names the tenant of each line. */
  readonly isOfTenants: boolean
  /** Whether the reader chooses the order. */
  readonly isSortable: boolean
  /** What they are ordered by: a metric, or the count. */
  readonly measure: string
  /** The name shown for a value. */
  name(value: string): string
  /** The address of a person's journey; undefined for other subjects. */
  journeyHref(value: string): string | undefined
}

function valueCell({ value }: UsageRow, words: UsageWords): TemplateResult {
  if (value === null) return html`<span class="dim">${words.t('usage.nameless')}</span>`
  const link = valueLink(words, { field: words.field, value }, words.name(value))
  const journey = words.journeyHref(value)
  return journey === undefined
    ? link
    : html`${link} <a part="journey" href=${journey}>${words.t('record.journey')}</a>`
}

/** Money as it was billed: its own digits, at least two of them after the point. */
export function amountText(amount: string, currency: string, { locale }: Format): string {
  const [, fraction = ''] = amount.split('.')
  const digits = Math.min(12, Math.max(2, fraction.length))
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: digits
  }).format(amount as unknown as number)
}

const list = (parts: readonly string[]) =>
  parts.length === 0 ? html`<span class="dim">–</span>` : parts.join(', ')

/** Whole words such as `token` take an s; symbols such as `GB` and `ms` stay as they are. */
const PLURAL = /^[a-z]{3,}[a-rt-z]$/

export const unitText = (unit: string, quantity: number): string =>
  quantity !== 1 && PLURAL.test(unit) ? `${unit}s` : unit

const quantityText = ({ quantities }: UsageRow, format: Format) =>
  Object.entries(quantities).map(
    ([unit, quantity]) => `${format.compact(quantity)} ${unitText(unit, quantity)}`
  )

const billedExactly = ({ amounts }: UsageRow, format: Format) =>
  Object.entries(amounts).map(([currency, amount]) => amountText(amount, currency, format))

/** To the cent, so that lines compare; what is less than a cent keeps its digits. */
const billedText = ({ amounts }: UsageRow, format: Format) =>
  Object.entries(amounts).map(([currency, amount]) =>
    /^[A-Z]{3}$/.test(currency) && Number(amount) >= 0.01
      ? format.money(Number(amount), currency)
      : amountText(amount, currency, format)
  )

const tenantColumn = (words: UsageWords): TableColumn<UsageRow> => ({
  id: 'tenant',
  header: words.t('column.tenant'),
  width: 90,
  cell: ({ tenantId = '' }) => valueLink(words, { field: 'tenant', value: tenantId }, tenantId)
})

export function usageColumns(words: UsageWords): TableColumn<UsageRow>[] {
  const { t, format, label, measure, isSortable } = words
  const largest = isSortable ? ({ sort: 'desc' } as const) : {}
  const columns: TableColumn<UsageRow>[] = [
    {
      id: 'value',
      header: keyHeading(label),
      grow: 2,
      ...(isSortable && { sort: 'asc' }),
      cell: (row) => valueCell(row, words),
      hint: ({ value }) => value ?? undefined
    },
    {
      id: 'share',
      header: t('usage.share'),
      hideBelow: 620,
      cell: ({ share }) => shareCell(share, format)
    },
    {
      id: 'quantity',
      header: t('usage.quantity'),
      width: 130,
      align: 'end',
      hideBelow: 380,
      cell: (row) => list(quantityText(row, format)),
      hint: (row) => quantityText(row, format).join(', ')
    },
    {
      id: 'billed',
      header: t('usage.billed'),
      width: 110,
      align: 'end',
      ...largest,
      hideBelow: 520,
      cell: (row) => list(billedText(row, format)),
      hint: (row) => billedExactly(row, format).join(', ')
    },
    {
      id: 'count',
      header: t('usage.count'),
      width: 84,
      align: 'end',
      ...largest,
      // A phone has room for the tenant or for this.
      ...(words.isOfTenants && measure !== COUNT && { hideBelow: 520 }),
      cell: ({ count }) => format.compact(count)
    }
  ]
  if (words.isOfTenants) columns.splice(1, 0, tenantColumn(words))
  if (measure === COUNT) return columns
  const figure: TableColumn<UsageRow> = {
    id: 'figure',
    header: keyHeading(measure),
    width: 100,
    align: 'end',
    ...largest,
    cell: ({ sums }) => figureText(measure, sums[measure] ?? 0, format)
  }
  return [...columns, figure]
}
