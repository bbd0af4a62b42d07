// The Audit page of the mailer: who changed what, each entry with its state before and after.
import type { Static } from '@keelson/sdk'
import {
  definePage,
  type FilterField,
  KeelsonDrawer,
  KeelsonFilterChips,
  type KeelsonListPage,
  type KeelsonPage,
  listPage,
  registerCatalog,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { auditLineSchema } from '../../admin/record-answers.ts'
import { diffLines } from '../../ledger/diff-lines.ts'
import { actorWords } from '../actor-words.ts'
import { auditWords, registerAuditWords } from '../audit-words.ts'
import { diffStyles } from '../diff-styles.ts'
import { diffView } from '../diff-view.ts'
import { mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import { changedName } from './changed-name.ts'
import { jsonLines } from './entry-lines.ts'
import texts from './texts.en.json' with { type: 'json' }

type AuditLine = Static<typeof auditLineSchema>

function panel(page: KeelsonListPage<AuditLine>, entry: AuditLine): TemplateResult {
  const { t, format } = page
  const { action, actor, at, resource, ip, userAgent, requestId, before, after, erasedAt } = entry
  const fact = (key: string, value: unknown) =>
    value === undefined ? nothing : html`<dt>${t(`mailAudit.${key}`)}</dt><dd>${value}</dd>`
  const name = resource.slug ?? resource.id
  const link = (field: string, value: string, words: string) =>
    html`<a href=${page.list.filters.href({ field, value })}>${words}</a>`
  return html`<div slot="header" class="panel-head">
      <h2>${auditWords(action, t)}</h2>
      <p class="dim"><code>${action}</code> · ${format.dateTime(at, { millis: true })}</p>
    </div>
    <section class="panel-part">
      <dl class="facts">
        ${fact('actor', link('actor', actor, actorWords(actor, t)))}
        ${fact('resource', name === undefined ? resource.collection : link('resource', name, changedName(entry)))}
        ${fact('ip', ip)} ${fact('agent', userAgent)} ${fact('request', requestId)}
      </dl>
      ${erasedAt === undefined ? nothing : html`<p class="dim">${t('mailAudit.erased', { time: format.dateTime(erasedAt) })}</p>`}
    </section>
    <section class="panel-part">
      <h3>${t('mailAudit.changes')}</h3>
      ${
        before === undefined && after === undefined
          ? html`<p class="dim">${t('mailAudit.noChanges')}</p>`
          : diffView(diffLines(jsonLines(before), jsonLines(after)), {
              t,
              none: t('mailAudit.sameValues')
            })
      }
    </section>`
}

const columns = (page: KeelsonPage): TableColumn<AuditLine>[] => {
  const { t } = page
  return [
    timeColumn(page, ({ at }) => at, { id: 'time', header: t('mailAudit.time') }),
    {
      id: 'action',
      header: t('mailAudit.action'),
      link: true,
      cell: ({ action }) => auditWords(action, t)
    },
    {
      id: 'resource',
      header: t('mailAudit.resource'),
      hideBelow: 520,
      cell: (line) => changedName(line) || '–'
    },
    {
      id: 'actor',
      header: t('mailAudit.actor'),
      hideBelow: 640,
      cell: ({ actor }) => actorWords(actor, t),
      hint: ({ actor }) => actorWords(actor, t)
    }
  ]
}

const AuditPage = listPage<AuditLine>({
  styles: [pageStyles, panelStyles, diffStyles],
  uses: [KeelsonFilterChips, KeelsonDrawer],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    /** A filter that suggests the values of the rows that are shown. */
    const field = (
      id: string,
      of: (row: AuditLine) => string | undefined,
      words: (value: string) => string
    ): FilterField => ({
      id,
      label: t(`mailAudit.${id}`),
      values: [...new Set(page.list.rows.flatMap((row) => of(row) ?? []))],
      words
    })
    const resourceOf = ({ resource: { slug, id } }: AuditLine) => slug ?? id
    const resourceWords = (resource: string) => {
      const row = page.list.rows.find((one) => resourceOf(one) === resource)
      return row === undefined ? resource : changedName(row)
    }

    return {
      texts: 'mailAudit',
      source: { idOf: ({ _id }) => _id, words: api.words, read: api.pages('/audit') },
      filters: {
        params: ['actor', 'action', 'resource'],
        chips: () => [
          field(
            'actor',
            ({ actor }) => actor,
            (actor) => actorWords(actor, t)
          ),
          field(
            'action',
            ({ action }) => action,
            (action) => auditWords(action, t)
          ),
          field('resource', resourceOf, resourceWords)
        ]
      },
      panel: { param: 'entry', width: 460, view: (entry) => panel(page, entry) },
      columns
    }
  }
})

registerAuditWords()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-audit', AuditPage)
