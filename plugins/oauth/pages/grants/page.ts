// The Grants page for administrators: live grants by client and person, and the end of one.
import {
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { EndedGrantAnswer, ListedGrantAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { plainName } from '../names.ts'
import { NarrowedList } from '../narrowed-list.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import texts from './texts.en.json' with { type: 'json' }

type Grant = ListedGrantAnswer

class GrantsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #admin: Admin = new Admin(this, { refresh: () => void this.#grants.list.reload() })
  readonly #grants = new NarrowedList<Grant>(this, {
    admin: this.#admin,
    source: 'grants',
    size: 50,
    below: (rows) => ({ skip: String(rows.length) })
  })

  protected override get windowTitle(): string {
    return this.t('grants.title')
  }

  protected override content(): TemplateResult {
    return html`${this.#grants.header()}
      <div class="main">${this.#grants.table({ columns: this.#columns() })}</div>`
  }

  async #end({ id, client, userId, person = userId }: Grant): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('grants.endHeading', {
        name: plainName(client.name),
        person: plainName(person)
      }),
      text: this.t('grants.endText'),
      action: this.t('grants.endAction'),
      tone: 'bad'
    })
    if (!isSure) return
    const { api } = this.#admin
    const path = `/admin/grants/${encodeURIComponent(id)}`
    await api.attempt(async () => {
      const { tokensRevoked } = await api.act<EndedGrantAnswer>('DELETE', path)
      this.toast({ text: this.t('grants.ended', { count: tokensRevoked }) })
      await this.#grants.list.reload()
    })
  }

  #columns(): TableColumn<Grant>[] {
    return [
      {
        id: 'client',
        header: this.t('admin.client'),
        cell: ({ client }) =>
          html`<a class="link" href=${this.#admin.href('clients', { client: client.clientId })}
            >${plainName(client.name)}</a
          >`,
        hint: ({ client }) => client.clientId
      },
      {
        id: 'person',
        header: this.t('grants.person'),
        cell: ({ userId, person = userId }) =>
          html`<a class="link" href=${this.address({ user: userId })}>${plainName(person)}</a>`,
        hint: ({ userId }) => userId
      },
      {
        id: 'scopes',
        header: this.t('grants.scopes'),
        grow: 2,
        mono: true,
        quiet: true,
        hideBelow: 640,
        cell: ({ scopes }) => scopes.join(' '),
        hint: ({ scopes }) => scopes.join(' ')
      },
      {
        id: 'context',
        header: this.t('grants.context'),
        width: 120,
        hideBelow: 980,
        cell: ({ contextId, contextLabel = contextId }) =>
          contextLabel === undefined ? html`<span class="dim">–</span>` : plainName(contextLabel),
        hint: ({ contextId }) => contextId
      },
      {
        id: 'since',
        header: this.t('grants.since'),
        width: 112,
        quiet: true,
        hideBelow: 760,
        cell: ({ createdAt }) => this.#admin.moment(createdAt),
        hint: ({ createdAt }) => this.#admin.wholeTime(createdAt)
      },
      {
        id: 'used',
        header: this.t('grants.used'),
        width: 112,
        quiet: true,
        hideBelow: 500,
        cell: ({ lastUsedAt }) => this.#admin.moment(lastUsedAt),
        hint: ({ lastUsedAt }) => this.#admin.wholeTime(lastUsedAt)
      },
      {
        id: 'act',
        header: this.t('admin.act'),
        width: 72,
        align: 'end',
        cell: (grant) => this.#endButton(grant)
      }
    ]
  }

  #endButton(grant: Grant): TemplateResult {
    const { client, userId, person = userId } = grant
    const label = { name: plainName(client.name), person: plainName(person) }
    return html`<button
      class="link"
      aria-label=${this.t('grants.endOf', label)}
      @click=${() => void this.#end(grant)}
    >
      ${this.t('grants.end')}
    </button>`
  }
}

registerTexts()
registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonError)
definePage('oauth-grants', GrantsPage)
