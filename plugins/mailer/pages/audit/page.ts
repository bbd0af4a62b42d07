// The Audit page of the mailer: who changed what, each entry with its state before and after.
import type { Static } from '@keelson/sdk'
import {
  controls,
  define,
  definePage,
  Filters,
  fieldFilters,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  registerCatalog,
  Selection,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { auditLineSchema } from '../../admin/record-answers.ts'
import { diffLines } from '../flow/diff-lines.ts'
import { diffView } from '../flow/diff-view.ts'
import { emptyList, listTable, queryOf } from '../list-table.ts'
import { mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import { changedName } from './changed-name.ts'
import { jsonLines } from './entry-lines.ts'
import texts from './texts.en.json' with { type: 'json' }

type AuditLine = Static<typeof auditLineSchema>

class AuditPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles]
  readonly #api = mailApi(this)
  readonly #filters = new Filters(this, {
    codec: fieldFilters(['actor', 'action', 'resource']),
    closes: { entry: null }
  })
  readonly #selection = new Selection<AuditLine>(this, {
    param: 'entry',
    idOf: ({ _id }) => _id
  })
  readonly #list = new ListLoad(this, {
    args: () => [this.#filters.params.toString()] as const,
    idOf: ({ _id }: AuditLine) => _id,
    page: ([filters], { cursor }, signal) =>
      this.#api.list<AuditLine>(
        `/audit?${queryOf({ limit: '50', ...Object.fromEntries(new URLSearchParams(filters)), cursor })}`,
        signal
      )
  })

  protected override get windowTitle(): string {
    return this.t('mailAudit.title')
  }

  /** Values of the rows that are shown, to suggest. */
  #values(of: (row: AuditLine) => string | undefined): readonly string[] {
    return [...new Set(this.#list.rows.flatMap((row) => of(row) ?? []))]
  }

  protected override content(): TemplateResult {
    const selection = this.#selection
    const open = this.#list.rows.find(({ _id }) => _id === selection.id)
    const field = (id: string, of: (row: AuditLine) => string | undefined) => ({
      id,
      label: this.t(`mailAudit.${id}`),
      values: this.#values(of)
    })
    return html`<keelson-page-header heading=${this.t('mailAudit.title')}></keelson-page-header>
      <div class="main">
        ${this.#filters.chips([
          field('actor', ({ actor }) => actor),
          field('action', ({ action }) => action),
          field('resource', ({ resource }) => resource.slug ?? resource.id)
        ])}
        <keelson-drawer
          ?open=${selection.id !== null && this.#list.value !== undefined}
          width="460"
          label=${this.t('mailAudit.label')}
          @keelson-close=${selection.close}
        >
          ${listTable({
            slot: 'list',
            heading: this.t('mailAudit.title'),
            note: this.t('mailAudit.note'),
            columns: this.#columns(),
            list: this.#list,
            idOf: ({ _id }) => _id,
            selection,
            empty: emptyList(this, 'mailAudit', this.#filters)
          })}
          ${selection.id === null ? nothing : this.#panel(open)}
        </keelson-drawer>
      </div>`
  }

  #columns(): TableColumn<AuditLine>[] {
    const now = Date.now()
    return [
      {
        id: 'time',
        header: this.t('mailAudit.time'),
        width: 116,
        quiet: true,
        cell: ({ at }) => timeText(at, now, this.format),
        hint: ({ at }) => this.format.dateTime(at)
      },
      {
        id: 'action',
        header: this.t('mailAudit.action'),
        link: true,
        mono: true,
        cell: ({ action }) => action,
        hint: ({ action }) => action
      },
      {
        id: 'resource',
        header: this.t('mailAudit.resource'),
        hideBelow: 520,
        cell: changedName,
        hint: ({ resource }) => resource.id
      },
      {
        id: 'actor',
        header: this.t('mailAudit.actor'),
        hideBelow: 640,
        cell: ({ actor }) => actor,
        hint: ({ actor }) => actor
      }
    ]
  }

  #panel(entry: AuditLine | undefined): TemplateResult {
    if (entry === undefined)
      return html`<keelson-empty heading=${this.t('mailAudit.missing')}></keelson-empty>`
    const { action, actor, at, resource, ip, userAgent, requestId, before, after, erasedAt } = entry
    const fact = (key: string, value: unknown) =>
      value === undefined ? nothing : html`<dt>${this.t(`mailAudit.${key}`)}</dt><dd>${value}</dd>`
    const name = resource.slug ?? resource.id
    const link = (field: string, value: string) =>
      html`<a href=${this.#filters.href({ field, value })}>${value}</a>`
    return html`<div slot="header" class="panel-head">
        <h2 class="mono">${action}</h2>
        <p class="dim">${this.format.dateTime(at, { millis: true })}</p>
      </div>
      <section class="panel-part">
        <dl class="facts">
          ${fact('actor', link('actor', actor))}
          ${fact('resource', name === undefined ? resource.collection : link('resource', name))}
          ${fact('ip', ip)} ${fact('agent', userAgent)} ${fact('request', requestId)}
        </dl>
        ${erasedAt === undefined ? nothing : html`<p class="dim">${this.t('mailAudit.erased', { time: this.format.dateTime(erasedAt) })}</p>`}
      </section>
      <section class="panel-part">
        <h3>${this.t('mailAudit.changes')}</h3>
        ${
          before === undefined && after === undefined
            ? html`<p class="dim">${this.t('mailAudit.noChanges')}</p>`
            : diffView(diffLines(jsonLines(before), jsonLines(after)), this.t)
        }
      </section>`
  }
}

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonFilterChips,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError
)
definePage('mailer-audit', AuditPage)
