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
import { AdminPage } from '../admin-page.ts'
import { ListLoad } from '../list-load.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type AuditEntry, beforeOf, isAlarm, kindOf, metaText } from './entry.ts'
import { registerAuditTexts } from './texts.ts'

const SIZE = 100

class AuditPage extends AdminPage {
  static override readonly styles = [controls, pageStyles]
  readonly #entries = new ListLoad(this, {
    args: () => [this.#client, this.#person] as const,
    size: SIZE,
    idOf: ({ id }: AuditEntry) => id,
    page: async ([clientId, userId], after, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE) })
      const before = beforeOf(after)
      if (clientId !== '') query.set('clientId', clientId)
      if (userId !== '') query.set('userId', userId)
      if (before !== undefined) query.set('before', before)
      return (await this.read<{ items: AuditEntry[] }>(`/admin/audit?${query}`, signal)).items
    }
  })

  protected override get windowTitle(): string {
    return this.t('audit.title')
  }

  protected override refresh(): void {
    void this.#entries.reload()
  }

  get #client(): string {
    return this.params.get('client') ?? ''
  }

  get #person(): string {
    return this.params.get('user') ?? ''
  }

  /** What a type means; a type that is new here goes by its own name. */
  #what({ type }: AuditEntry): string {
    const key = `type.${kindOf(type)}`
    const words = this.t(key)
    return words === key ? type : words
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('audit.title')}>
        ${this.clientChoice(this.#client, ['', this.t('admin.allClients')])}
        ${this.personField(this.#person)} ${this.refreshButton()}
      </keelson-page-header>
      <div class="main">${this.#list()}</div>`
  }

  #list(): TemplateResult {
    const { rows, value, isFirst, isPending, isMore, status, error, moreError } = this.#entries
    const wanted = this.params.get('entry')
    const open = rows.find(({ id }) => id === wanted)
    return html`<keelson-drawer
      ?open=${wanted !== null && value !== undefined}
      label=${open === undefined ? '' : this.#label(open)}
      @keelson-close=${() => this.go({ entry: null }, { replace: true })}
    >
      <keelson-table
        slot="list"
        keys
        heading=${this.t('audit.heading')}
        note=${this.t('audit.note')}
        .columns=${this.#columns()}
        .rows=${rows}
        .rowHref=${({ id }: AuditEntry) => this.address({ entry: id })}
        .selected=${open === undefined ? null : wanted}
        .loading=${isFirst || isPending || isMore}
        .more=${value?.hasMore === true}
        .error=${status === 'error' ? error : moreError}
        @keelson-more=${() => this.#entries.more()}
        @keelson-retry=${() => this.refresh()}
        @keelson-open=${(event: CustomEvent<{ id: string }>) => {
          event.preventDefault()
          this.go({ entry: event.detail.id })
        }}
        @keelson-move=${({ detail }: CustomEvent<{ id: string }>) =>
          wanted !== null && this.go({ entry: detail.id }, { replace: true })}
      >
        ${this.#empty()}
      </keelson-table>
      ${wanted === null ? nothing : this.#panel(open)}
    </keelson-drawer>`
  }

  #label(entry: AuditEntry): string {
    return this.t('audit.label', {
      what: this.#what(entry),
      time: this.format.dateTime(entry.createdAt)
    })
  }

  #empty(): TemplateResult {
    if (this.#client !== '' || this.#person !== '') {
      return html`<keelson-empty slot="empty" heading=${this.t('audit.noneFound')}>
        <a class="btn" href=${this.address({ client: null, user: null })}>${this.t('admin.clear')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${this.t('audit.none')}
      text=${this.t('audit.noneText')}
    ></keelson-empty>`
  }

  #columns(): TableColumn<AuditEntry>[] {
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
