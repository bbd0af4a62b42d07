// The columns of a rollup family's totals.
import type { RollupTotal, RollupTotalsResult } from '@keelson/telemetry'
import { type AsJson, type Format, shareBar, type TableColumn, timeText } from '@keelson/ui'
import { html } from 'lit'
import { figureText, keyHeading } from '../figures.ts'

export type Totals = AsJson<RollupTotalsResult>
export type Total = AsJson<RollupTotal>

export interface RollupWords {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string>): string
  /** The address of a subject's journey. */
  subjectHref(ref: string): string
}

/** A subject's document names it as `user:u-1`, any other as `plan=pro`. */
const isSubject = ({ subjectType = '' }: Total, dim: string): boolean =>
  subjectType !== '' && dim.startsWith(`${subjectType}:`)

/** When a line began and ended: of families with buckets the newest bucket alone. */
function times(
  isBucketed: boolean,
  { t, format, now }: RollupWords
): readonly TableColumn<Total>[] {
  const time = (
    id: 'first' | 'last',
    hideBelow: number,
    at: (row: Total) => string
  ): TableColumn<Total> => ({
    id,
    header: t(`rollup.${id}`),
    width: 136,
    quiet: true,
    hideBelow,
    cell: (row) => timeText(at(row), now, format),
    hint: (row) => format.dateTime(at(row))
  })
  if (isBucketed) return [time('last', 420, ({ bucketAt, lastAt }) => bucketAt ?? lastAt)]
  return [time('first', 420, ({ firstAt }) => firstAt), time('last', 760, ({ lastAt }) => lastAt)]
}

export function rollupColumns(
  rows: readonly Total[],
  isBucketed: boolean,
  words: RollupWords
): TableColumn<Total>[] {
  const { t, format, isPlatform, subjectHref } = words
  const sums = [...new Set(rows.flatMap((row) => Object.keys(row.sums)))]
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return [
    {
      id: 'dims',
      header: t('rollup.dims'),
      grow: 2,
      cell: (row) =>
        row.dims.map((dim, at) => {
          const lead = at === 0 ? '' : ' · '
          return isSubject(row, dim)
            ? html`${lead}<a part="value" href=${subjectHref(dim)}>${dim}</a>`
            : html`${lead}${dim}`
        }),
      hint: ({ dims }) => dims.join(' · ')
    },
    ...times(isBucketed, words),
    ...(isPlatform
      ? [
          {
            id: 'tenant',
            header: t('column.tenant'),
            width: 90,
            cell: ({ tenantId }: Total) => tenantId
          }
        ]
      : []),
    {
      id: 'share',
      header: '',
      hiddenHeader: t('rollup.share'),
      hideBelow: 640,
      cell: ({ count }) => shareBar(count / most)
    },
    {
      id: 'count',
      header: t('rollup.count'),
      width: 84,
      align: 'end',
      cell: ({ count }) => format.number(count)
    },
    ...sums.map(
      (key): TableColumn<Total> => ({
        id: key,
        header: t('rollup.sum', { key: keyHeading(key) }),
        width: 136,
        align: 'end',
        hideBelow: 520,
        cell: ({ sums: values }) => {
          const value = values[key]
          return value === undefined ? '–' : figureText(key, value, format)
        }
      })
    )
  ]
}

/** What the totals are made of. A cut is said below them, where there is always room. */
export function rollupNotes(
  { documents, bucket, truncated }: Totals,
  t: (key: string, values?: Record<string, number>) => string
): { readonly note: string; readonly footer: string } {
  return {
    note: t(`rollup.totals.${bucket ?? 'ever'}`),
    footer: truncated ? t('rollup.truncated', { count: documents }) : ''
  }
}

/** Two tenants may have the same dimensions. */
export const totalId = ({ tenantId, dims }: Total): string => JSON.stringify([tenantId, ...dims])

/** A line of a file. `lastBucketAt` is left out of families without buckets. */
export const rollupCells = (row: Total): Record<string, unknown> => ({
  dims: row.dims.join(' '),
  tenantId: row.tenantId,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  ...(row.bucketAt !== undefined && { lastBucketAt: row.bucketAt }),
  count: row.count,
  ...row.sums
})
