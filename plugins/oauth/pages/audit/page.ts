// The Audit page: the log by client and person, each entry with its details.
import {
  controls,
  define,
  definePage,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  registerCatalog,
  Selection,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { AuditEntry } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { plainName } from '../names.ts'
import { NarrowedList } from '../narrowed-list.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { beforeOf, isAlarm, kindOf, metaText } from './entry.ts'
import texts from './texts.en.json' with { type: 'json' }

class AuditPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #admin: Admin = new Admin(this, { refresh: () => void this.#entries.list.reload() })
  readonly #entries = new NarrowedList<AuditEntry>(this, {
    admin: this.#admin,
    source: 'audit',
    size: 100,
    below: (rows) => {
      const before = beforeOf(rows)
      return before === undefined ? {} : { before }
    }
  })
  readonly #selection = new Selection<AuditEntry>(this, { param: 'entry' })

  protected override get windowTitle(): string {
    return this.t('audit.title')
  }

  /** The text of a type; a type without one is shown as it is. */
  #what({ type }: AuditEntry): string {
    const key = `type.${kindOf(type)}`
    const words = this.t(key)
    return words === key ? type : words
  }

  protected override content(): TemplateResult {
    const selection = this.#selection
    const { rows, value } = this.#entries.list
    const open = rows.find(({ id }) => id === selection.id)
    return html`${this.#entries.header()}
      <div class="main">
        <keelson-drawer
          ?open=${selection.id !== null && value !== undefined}
          label=${open === undefined ? '' : this.#label(open)}
          @keelson-close=${selection.close}
        >
          ${this.#entries.table({ columns: this.#columns(), selection, slot: 'list' })}
          ${selection.id === null ? nothing : this.#panel(open)}
        </keelson-drawer>
      </div>`
  }

  #label(entry: AuditEntry): string {
    return this.t('audit.label', {
      what: this.#what(entry),
      time: this.format.dateTime(entry.createdAt)
    })
  }

  #columns(): TableColumn<AuditEntry>[] {
    const none = html`<span class="dim">–</span>`
    return [
      {
        id: 'time',
        header: this.t('admin.time'),
        width: 132,
        quiet: true,
        cell: ({ createdAt }) => this.#admin.moment(createdAt),
        hint: ({ createdAt }) => this.#admin.wholeTime(createdAt)
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
        cell: ({ clientId }) => (clientId === undefined ? none : this.#admin.nameOf(clientId)),
        hint: ({ clientId }) => clientId
      },
      {
        id: 'person',
        header: this.t('audit.person'),
        hideBelow: 640,
        cell: ({ userId, person = userId }) => (person === undefined ? none : plainName(person)),
        hint: ({ userId }) => userId
      },
      {
        id: 'actor',
        header: this.t('audit.actor'),
        width: 128,
        hideBelow: 860,
        cell: ({ actor, actorId, actorName = actorId }) =>
          actorName === undefined ? this.t(`actor.${actor}`) : plainName(actorName),
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
    const { clientId, userId, actorId, grantId, ip, requestId, meta = {} } = entry
    const { person: name = userId ?? '', actorName = actorId } = entry
    const idOf = (id: string | undefined, shown: string) =>
      id === undefined || id === shown ? nothing : html` <span class="mono dim">${id}</span>`
    const fact = (name: string, value: unknown) =>
      value === undefined ? nothing : html`<dt>${this.t(name)}</dt><dd>${value}</dd>`
    const client =
      clientId === undefined
        ? undefined
        : html`<a class="link" href=${this.#admin.href('clients', { client: clientId })}>${this.#admin.nameOf(clientId)}</a>`
    const person =
      userId === undefined
        ? undefined
        : html`<a class="link" href=${this.address({ user: userId, entry: null })}>${plainName(name)}</a>${idOf(userId, name)}`
    const administrator =
      actorName === undefined ? undefined : html`${plainName(actorName)}${idOf(actorId, actorName)}`
    return html`<div slot="header" class="panel-head">
        <h2>${this.#what(entry)}</h2>
        <p class="dim">${this.format.dateTime(entry.createdAt, { millis: true })}</p>
      </div>
      <section class="panel-part">
        <h3>${this.t('audit.facts')}</h3>
        <dl class="facts">
          ${fact('audit.type', entry.type)} ${fact('audit.actor', this.t(`actor.${entry.actor}`))}
          ${fact('audit.administrator', administrator)}
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
registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonError)
definePage('oauth-audit', AuditPage)
