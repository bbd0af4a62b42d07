// What the pages for administrators share: who may, the clients by name, the way from one page to the next.
import { icon, Load, RequestError, type Shortcut } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { plainName } from './names.ts'
import { OAuthPage } from './oauth-page.ts'
import { timeWords } from './times.ts'

/** The part of a client that other pages name it by. */
export interface NamedClient {
  readonly clientId: string
  readonly name: string
}

/** Where the pages lie; the manifest says the same. */
export const ADMIN_PATH = '/admin/oauth'

const MOST_CLIENTS = 200

export class AdminPage extends OAuthPage {
  /** The newest clients, by which lists name them. */
  protected readonly clients = new Load(this, {
    args: () => (this.needsClients ? [] : null),
    run: (_args, signal) =>
      this.read<{ items: readonly NamedClient[] }>(`/admin/clients?limit=${MOST_CLIENTS}`, signal)
  })

  /** Whether the page names clients. */
  protected get needsClients(): boolean {
    return true
  }

  /** Reads again what the page shows. */
  protected refresh(): void {}

  protected override get shortcuts(): readonly Shortcut[] {
    return [{ keys: 'r', label: this.t('admin.refresh'), run: () => this.refresh() }]
  }

  /** Reads from the API; a refusal says who may. */
  protected override async read<T>(path: string, signal?: AbortSignal): Promise<T> {
    try {
      return await super.read<T>(path, signal)
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 403) throw error
      throw new Error(this.t('admin.refused'), { cause: error })
    }
  }

  protected nameOf(clientId: string): string {
    const client = this.clients.value?.items.find((one) => one.clientId === clientId)
    return client === undefined ? clientId : plainName(client.name)
  }

  protected moment(at: string | undefined): unknown {
    return timeWords(at, this.format, this.t('admin.never'))
  }

  /** The whole time, as the tooltip of `moment`. */
  protected wholeTime(at: string | undefined): string | undefined {
    return at === undefined ? undefined : this.format.dateTime(at)
  }

  /** The address of another of these pages. */
  protected adminHref(page: string, params: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams(params).toString()
    return `${ADMIN_PATH}/${page}${query === '' ? '' : `?${query}`}`
  }

  protected refreshButton(): TemplateResult {
    return html`<button class="btn" @click=${() => this.refresh()}>
      ${icon('refresh', 14)}${this.t('admin.refresh')}
    </button>`
  }

  /** A choice among the clients; `none` is offered as the first when it has words. */
  protected clientChoice(
    chosen: string,
    first: readonly [value: string, words: string]
  ): TemplateResult {
    const items = this.clients.value?.items ?? []
    const isKnown = chosen === first[0] || items.some(({ clientId }) => clientId === chosen)
    const option = (value: string, words: string) =>
      html`<option value=${value} ?selected=${value === chosen}>${words}</option>`
    return html`<select
      class="field pick"
      aria-label=${this.t('admin.client')}
      @change=${(event: Event) => this.go({ client: (event.target as HTMLSelectElement).value })}
    >
      ${option(...first)}
      ${items.map(({ clientId, name }) => option(clientId, plainName(name)))}
      ${isKnown ? '' : option(chosen, chosen)}
    </select>`
  }

  /** Takes one person, by id. */
  protected personField(chosen: string): TemplateResult {
    return html`<input
      class="field pick"
      type="search"
      placeholder=${this.t('admin.person')}
      aria-label=${this.t('admin.person')}
      autocomplete="off"
      spellcheck="false"
      .value=${chosen}
      @change=${(event: Event) => this.go({ user: (event.target as HTMLInputElement).value.trim() })}
    />`
  }
}
