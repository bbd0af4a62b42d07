// The columns of a rollup family's documents.

import { type Format, shareBar, type TableColumn, timeText } from '@keelson/ui'
import { html } from 'lit'
import { figureText, keyHeading } from '../figures.ts'
import type { RollupAnswer } from '../requests.ts'

export interface RollupWords {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string>): string
  /** The address of a subject's journey. */
  subjectHref(ref: string): string
}

/** A subject's document names it as `user:u-1`, any other as `plan=pro`. */
const isSubject = ({ subjectType = '' }: RollupAnswer, dim: string): boolean =>
  subjectType !== '' && dim.startsWith(`${subjectType}:`)

export function rollupColumns(
  rows: readonly RollupAnswer[],
  isBucketed: boolean,
  words: RollupWords
): TableColumn<RollupAnswer>[] {
  const { t, format, now, isPlatform, subjectHref } = words
  const sums = [...new Set(rows.flatMap((row) => Object.keys(row.sums)))]
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const moment = (row: RollupAnswer) => (isBucketed ? (row.bucketAt ?? '') : row.firstAt)
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
    {
      id: 'at',
      header: t(isBucketed ? 'rollup.bucket' : 'rollup.first'),
      width: 128,
      quiet: true,
      // Documents of a bucket differ in nothing else.
      ...(!isBucketed && { hideBelow: 420 }),
      cell: (row) => timeText(moment(row), now, format),
      hint: (row) => format.dateTime(moment(row))
    },
    {
      id: 'last',
      header: t('rollup.last'),
      width: 128,
      quiet: true,
      hideBelow: 760,
      cell: ({ lastAt }) => timeText(lastAt, now, format),
      hint: ({ lastAt }) => format.dateTime(lastAt)
    },
    ...(isPlatform
      ? [
          {
            id: 'tenant',
            header: t('column.tenant'),
            width: 90,
            cell: ({ tenantId }: RollupAnswer) => tenantId
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
      (key): TableColumn<RollupAnswer> => ({
        id: key,
        header:
          key === 'durationMs' ? t('rollup.duration') : t('rollup.sum', { key: keyHeading(key) }),
        width: 110,
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

/** A document as a line of a file. */
export const rollupCells = (row: RollupAnswer): Record<string, unknown> => ({
  dims: row.dims.join(' '),
  tenantId: row.tenantId,
  bucketAt: row.bucketAt,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  count: row.count,
  ...row.sums
})
