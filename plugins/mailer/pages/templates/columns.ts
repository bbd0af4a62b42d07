// The columns of the list of templates.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../ledger/outcomes/reached.ts'
import type { TemplateLine } from './answers.ts'

/** What the columns are written with. */
export interface ColumnWords {
  readonly format: Format
  readonly now: number
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

const state = ({ version, hasDraft }: TemplateLine, { t }: ColumnWords): TemplateResult =>
  html`${
    version === 0
      ? html`<span class="tag">${t('templates.unpublished')}</span>`
      : html`<span class="tag good">${t('templates.live', { version })}</span>`
  } ${version > 0 && hasDraft ? html`<span class="tag warn">${t('templates.draft')}</span>` : nothing}`

/** The columns. */
export function templateColumns(words: ColumnWords): TableColumn<TemplateLine>[] {
  const { t, format, now } = words
  return [
    {
      id: 'name',
      header: t('mail.name'),
      grow: 2,
      link: true,
      cell: ({ name }) => name,
      hint: ({ slug }) => slug
    },
    { id: 'status', header: t('mail.status'), width: 150, cell: (line) => state(line, words) },
    {
      id: 'kind',
      header: t('templates.kind'),
      width: 110,
      hideBelow: 560,
      cell: ({ kind }) => t(`mail.${kind}`)
    },
    {
      id: 'subject',
      header: t('templates.subject'),
      grow: 3,
      quiet: true,
      hideBelow: 760,
      cell: ({ subject }) => subject,
      hint: ({ subject }) => subject
    },
    {
      id: 'sent',
      header: t('templates.sent'),
      width: 80,
      align: 'end',
      hideBelow: 460,
      cell: ({ stats }) => format.number(stats.sent)
    },
    {
      id: 'opened',
      header: t('templates.opened'),
      width: 84,
      align: 'end',
      hideBelow: 640,
      cell: ({ stats }) => {
        const reached = reachedOf(stats.delivered, stats.sent)
        return reached === 0 ? t('mail.none') : format.percent(stats.opened / reached, 1)
      }
    },
    {
      id: 'updated',
      header: t('mail.updated'),
      width: 120,
      quiet: true,
      hideBelow: 400,
      cell: ({ updatedAt }) => timeText(updatedAt, now, format),
      hint: ({ updatedAt }) => format.dateTime(updatedAt)
    }
  ]
}
