// The Audit page: what happened, by client and person, each entry with everything that was noted.
import {
  controls,
  define,
  definePage,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPageHeader,
  KeelsonTable,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { NarrowedListPage } from '../narrowed-list-page.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type AuditEntry, beforeOf, isAlarm, kindOf, metaText } from './entry.ts'
import { registerAuditTexts } from './texts.ts'

class AuditPage extends NarrowedListPage<AuditEntry> {
  static override readonly styles = [controls, pageStyles]

  protected override get source(): string {
    return 'audit'
  }

  protected override get size(): number {
    return 100
  }

  protected override below(rows: readonly AuditEntry[]): Readonly<Record<string, string>> {
    const before = beforeOf(rows)
    return before === undefined ? {} : { before }
  }

  /** What a type means; a type that is new here goes by its own name. */
  #what({ type }: AuditEntry): string {
    const key = `type.${kindOf(type)}`
    const words = this.t(key)
    return words === key ? type : words
  }

  protected override body(): TemplateResult {
    const { rows, value } = this.list
    const wanted = this.params.get('entry')
    const open = rows.find(({ id }) => id === wanted)
    const binding = {
      selected: open === undefined ? null : wanted,
      href: ({ id }: AuditEntry) => this.address({ entry: id }),
      open: (id: string) => this.go({ entry: id }),
      move: (id: string) => {
        if (wanted !== null) this.go({ entry: id }, { replace: true })
      }
    }
    return html`<keelson-drawer
      ?open=${wanted !== null && value !== undefined}
      label=${open === undefined ? '' : this.#label(open)}
      @keelson-close=${() => this.go({ entry: null }, { replace: true })}
    >
      ${this.table(binding, { slot: 'list' })} ${wanted === null ? nothing : this.#panel(open)}
    </keelson-drawer>`
  }

  #label(entry: AuditEntry): string {
    return this.t('audit.label', {
      what: this.#what(entry),
      time: this.format.dateTime(entry.createdAt)
    })
  }

  protected override get columns(): TableColumn<AuditEntry>[] {
    const none = html`<span class="dim">–</span>`
    return [
      {
        id: 'time',
        header: this.t('admin.time'),
        width: 112,
        quiet: true,
        cell: ({ createdAt }) => this.moment(createdAt),
        hint: ({ createdAt }) => this.wholeTime(createdAt)
      },
      {
        id: 'what',
        header: this.t('audit.what'),
        grow: 2,
        link: true,
        cell: (entry) =>
          html`${this.#what(entry)} ${isAlarm(entry) ? html`<span class="tag bad">${this.t('audit.alarm')}</span>` : nothing}`,
        hint: ({ type }) => type
      },
      {
        id: 'client',
        header: this.t('admin.client'),
        hideBelow: 520,
        cell: ({ clientId }) => (clientId === undefined ? none : this.nameOf(clientId)),
        hint: ({ clientId }) => clientId
      },
      {
        id: 'person',
        header: this.t('audit.person'),
        mono: true,
        hideBelow: 640,
        cell: ({ userId }) => userId ?? none,
        hint: ({ userId }) => userId
      },
      {
        id: 'actor',
        header: this.t('audit.actor'),
        width: 128,
        hideBelow: 860,
        cell: ({ actor, actorId }) => actorId ?? this.t(`actor.${actor}`),
        hint: ({ actor, actorId }) =>
          actorId === undefined ? undefined : `${this.t(`actor.${actor}`)} ${actorId}`
      },
      {
        id: 'ip',
        header: this.t('audit.ip'),
        width: 120,
        mono: true,
        quiet: true,
        hideBelow: 960,
        cell: ({ ip }) => ip ?? none,
        hint: ({ ip }) => ip
      }
    ]
  }

  #panel(entry: AuditEntry | undefined): TemplateResult {
    if (entry === undefined) {
      return html`<keelson-empty heading=${this.t('audit.missing')}></keelson-empty>`
    }
    const { clientId, userId, grantId, ip, requestId, meta = {} } = entry
    const fact = (name: string, value: unknown) =>
      value === undefined ? nothing : html`<dt>${this.t(name)}</dt><dd>${value}</dd>`
    const client =
      clientId === undefined
        ? undefined
        : html`<a class="link" href=${this.adminHref('clients', { client: clientId })}>${this.nameOf(clientId)}</a>`
    const person =
      userId === undefined
        ? undefined
        : html`<a class="link" href=${this.address({ user: userId, entry: null })}>${userId}</a>`
    return html`<div slot="header" class="panel-head">
        <h2>${this.#what(entry)}</h2>
        <p class="dim">${this.format.dateTime(entry.createdAt, { millis: true })}</p>
      </div>
      <section class="panel-part">
        <h3>${this.t('audit.facts')}</h3>
        <dl class="facts">
          ${fact('audit.type', entry.type)} ${fact('audit.actor', this.t(`actor.${entry.actor}`))}
          ${fact('audit.administrator', entry.actorId)}
          ${fact('admin.client', client)} ${fact('audit.person', person)}
          ${fact('audit.ip', ip)} ${fact('audit.grant', grantId)} ${fact('audit.request', requestId)}
        </dl>
      </section>
      ${
        Object.keys(meta).length === 0
          ? nothing
          : html`<section class="panel-part">
            <h3>${this.t('audit.meta')}</h3>
            <dl class="facts">
              ${Object.entries(meta).map(([name, value]) => html`<dt>${name}</dt><dd class="mono">${metaText(value)}</dd>`)}
            </dl>
          </section>`
      }`
  }
}

registerTexts()
registerAuditTexts()
define(KeelsonPageHeader, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonError)
definePage('oauth-audit', AuditPage)
