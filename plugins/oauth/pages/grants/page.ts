// The Grants page for administrators: live grants by client and person, and the end of one.
import {
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPageHeader,
  KeelsonTable,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { AdminPage } from '../admin-page.ts'
import { ListLoad } from '../list-load.ts'
import { plainName } from '../names.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { registerGrantTexts } from './texts.ts'

interface Grant {
  readonly id: string
  readonly userId: string
  readonly client: { readonly clientId: string; readonly name: string }
  readonly scopes: readonly string[]
  readonly contextId?: string
  readonly contextLabel?: string
  readonly createdAt: string
  readonly lastUsedAt?: string
}

const SIZE = 50

class GrantsPage extends AdminPage {
  static override readonly styles = [controls, pageStyles]
  readonly #grants = new ListLoad(this, {
    args: () => [this.#client, this.#person] as const,
    size: SIZE,
    idOf: ({ id }: Grant) => id,
    page: async ([clientId, userId], after, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE), skip: String(after.length) })
      if (clientId !== '') query.set('clientId', clientId)
      if (userId !== '') query.set('userId', userId)
      return (await this.read<{ items: Grant[] }>(`/admin/grants?${query}`, signal)).items
    }
  })

  protected override get windowTitle(): string {
    return this.t('grants.title')
  }

  protected override refresh(): void {
    void this.#grants.reload()
  }

  get #client(): string {
    return this.params.get('client') ?? ''
  }

  get #person(): string {
    return this.params.get('user') ?? ''
  }

  async #end({ id, client, userId }: Grant): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('grants.endHeading', { name: plainName(client.name), person: userId }),
      text: this.t('grants.endText'),
      action: this.t('grants.endAction'),
      tone: 'bad'
    })
    if (!isSure) return
    try {
      const path = `/admin/grants/${encodeURIComponent(id)}`
      const { tokensRevoked } = await this.act<{ tokensRevoked: number }>('DELETE', path)
      this.toast({ text: this.t('grants.ended', { count: tokensRevoked }) })
      await this.#grants.reload()
    } catch (error) {
      this.toast({ text: this.words(error), tone: 'bad' })
    }
  }

  protected override content(): TemplateResult {
    const { rows, value, isFirst, isPending, isMore, status, error, moreError } = this.#grants
    return html`<keelson-page-header heading=${this.t('grants.title')}>
        ${this.clientChoice(this.#client, ['', this.t('admin.allClients')])}
        ${this.personField(this.#person)} ${this.refreshButton()}
      </keelson-page-header>
      <div class="main">
        <keelson-table
          heading=${this.t('grants.heading')}
          note=${this.t('grants.note')}
          .columns=${this.#columns()}
          .rows=${rows}
          .loading=${isFirst || isPending || isMore}
          .more=${value?.hasMore === true}
          .error=${status === 'error' ? error : moreError}
          @keelson-more=${() => this.#grants.more()}
          @keelson-retry=${() => this.refresh()}
        >
          ${this.#empty()}
        </keelson-table>
      </div>`
  }

  #empty(): TemplateResult {
    if (this.#client !== '' || this.#person !== '') {
      return html`<keelson-empty slot="empty" heading=${this.t('grants.noneFound')}>
        <a class="btn" href=${this.address({ client: null, user: null })}>${this.t('admin.clear')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${this.t('grants.none')}
      text=${this.t('grants.noneText')}
    ></keelson-empty>`
  }

  #columns(): TableColumn<Grant>[] {
    return [
      {
        id: 'client',
        header: this.t('admin.client'),
        cell: ({ client }) =>
          html`<a class="link" href=${this.adminHref('clients', { client: client.clientId })}
            >${plainName(client.name)}</a
          >`,
        hint: ({ client }) => client.clientId
      },
      {
        id: 'person',
        header: this.t('grants.person'),
        mono: true,
        cell: ({ userId }) =>
          html`<a class="link" href=${this.address({ user: userId })}>${userId}</a>`,
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
        cell: ({ createdAt }) => this.moment(createdAt),
        hint: ({ createdAt }) => this.wholeTime(createdAt)
      },
      {
        id: 'used',
        header: this.t('grants.used'),
        width: 112,
        quiet: true,
        hideBelow: 500,
        cell: ({ lastUsedAt }) => this.moment(lastUsedAt),
        hint: ({ lastUsedAt }) => this.wholeTime(lastUsedAt)
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
    const label = { name: plainName(grant.client.name), person: grant.userId }
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
registerGrantTexts()
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonError)
definePage('oauth-grants', GrantsPage)
