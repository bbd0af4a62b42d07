// The columns of the list of templates.
import { type KeelsonPage, type TableColumn, timeColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../ledger/outcomes/reached.ts'
import type { TemplateLine } from './answers.ts'

const state = ({ version, hasDraft }: TemplateLine, { t }: KeelsonPage): TemplateResult =>
  html`${
    version === 0
      ? html`<span class="tag">${t('templates.unpublished')}</span>`
      : html`<span class="tag good">${t('templates.live', { version })}</span>`
  } ${version > 0 && hasDraft ? html`<span class="tag warn">${t('templates.draft')}</span>` : nothing}`

/** The columns. */
export function templateColumns(page: KeelsonPage): TableColumn<TemplateLine>[] {
  const { t, format } = page
  return [
    {
      id: 'name',
      header: t('mail.name'),
      grow: 3,
      link: true,
      cell: ({ name }) => name,
      hint: ({ slug }) => slug
    },
    { id: 'status', header: t('mail.status'), width: 140, cell: (line) => state(line, page) },
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
    timeColumn(page, ({ updatedAt }) => updatedAt, {
      id: 'updated',
      header: t('mail.updated'),
      hideBelow: 400
    })
  ]
}
