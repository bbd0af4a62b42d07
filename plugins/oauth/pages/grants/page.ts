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
import { plainName } from '../names.ts'
import { NarrowedListPage } from '../narrowed-list-page.ts'
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

class GrantsPage extends NarrowedListPage<Grant> {
  static override readonly styles = [controls, pageStyles]

  protected override get source(): string {
    return 'grants'
  }

  protected override get size(): number {
    return 50
  }

  protected override below(rows: readonly Grant[]): Readonly<Record<string, string>> {
    return { skip: String(rows.length) }
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
      await this.list.reload()
    } catch (error) {
      this.toast({ text: this.words(error), tone: 'bad' })
    }
  }

  protected override get columns(): TableColumn<Grant>[] {
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
