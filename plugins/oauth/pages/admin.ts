// What the pages for administrators have: the API, the clients by name, links to one another, filters.
import {
  type Api,
  apiOf,
  icon,
  type KeelsonPage,
  Load,
  plainName,
  RequestError,
  searchField
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { ClientAnswer } from '../clients/client-schema.ts'
import { timeWords } from './times.ts'

/** The part of a client that other pages show. */
export type NamedClient = Pick<ClientAnswer, 'clientId' | 'name'>

/** The address of the pages; the manifest has the same. */
export const ADMIN_PATH = '/admin/oauth'

const MOST_CLIENTS = 200

export interface AdminOptions {
  /** Whether the page shows clients by name. Default true. */
  readonly namesClients?: boolean
  /** Loads the page again. */
  refresh(): void
}

export class Admin {
  readonly #page: KeelsonPage
  readonly #refresh: () => void
  readonly api: Api
  /** Whether the API has refused this administrator: what it would refuse is not offered. */
  isRefused = false
  /** The newest clients, for their names. */
  readonly clients: Load<readonly [], { readonly items: readonly NamedClient[] }>

  constructor(page: KeelsonPage, { namesClients = true, refresh }: AdminOptions) {
    this.#page = page
    this.#refresh = refresh
    this.api = adminApi(page, () => {
      this.isRefused = true
    })
    this.clients = new Load(page, {
      args: () => (namesClients ? ([] as const) : null),
      run: (_args, signal) => this.api.read(`/admin/clients?limit=${MOST_CLIENTS}`, signal)
    })
  }

  /** The name of a client, or its id when it is not among the newest. */
  nameOf(clientId: string): string {
    const client = this.clients.value?.items.find((one) => one.clientId === clientId)
    return client === undefined ? clientId : plainName(client.name)
  }

  /** A time for a cell; its tooltip is `wholeTime`. */
  moment(at: string | undefined): unknown {
    return timeWords(at, this.#page.format, this.#page.t('admin.never'))
  }

  wholeTime(at: string | undefined): string | undefined {
    return at === undefined ? undefined : this.#page.format.dateTime(at)
  }

  /** The address of another of these pages. */
  href(page: string, params: Readonly<Record<string, string>> = {}): string {
    return this.#page.linkTo(`${ADMIN_PATH}/${page}`, params)
  }

  refreshButton(): TemplateResult {
    return html`<button class="btn" @click=${this.#refresh}>
      ${icon('refresh', 14)}${this.#page.t('ui.refresh')}
    </button>`
  }

  /** A choice among the clients, written to parameter `client`; `first` is offered before them. */
  clientChoice(chosen: string, first: readonly [value: string, words: string]): TemplateResult {
    const items = this.clients.value?.items ?? []
    const isKnown = chosen === first[0] || items.some(({ clientId }) => clientId === chosen)
    const option = (value: string, words: string) =>
      html`<option value=${value} ?selected=${value === chosen}>${words}</option>`
    return html`<select
      class="field pick"
      aria-label=${this.#page.t('admin.client')}
      @change=${(event: Event) =>
        this.#page.go({ client: (event.target as HTMLSelectElement).value })}
    >
      ${option(...first)}
      ${items.map(({ clientId, name }) => option(clientId, plainName(name)))}
      ${isKnown ? '' : option(chosen, chosen)}
    </select>`
  }

  /** A field for a user id, written to parameter `user`. People of the list are found by their names too. */
  personField(people: ReadonlyMap<string, string>): TemplateResult {
    return html`<datalist id="people">
        ${[...people].map(([id, name]) => html`<option value=${id} label=${plainName(name)}></option>`)}
      </datalist>
      ${this.searchField('user', 'admin.person', 'people')}`
  }

  /** A field for a text, written to a parameter when it is entered; `list` is a datalist beside it. */
  searchField(param: string, label: string, list?: string): TemplateResult {
    return searchField(this.#page, param, this.#page.t(label), {
      look: 'pick',
      ...(list !== undefined && { list })
    })
  }
}

/** The API; a read that is refused says who may. */
function adminApi(page: KeelsonPage, onRefused: () => void): Api {
  const api = apiOf(page)
  return {
    ...api,
    async read<T>(path: string, signal?: AbortSignal): Promise<T> {
      try {
        return await api.read<T>(path, signal)
      } catch (error) {
        if (!(error instanceof RequestError) || error.status !== 403) throw error
        onRefused()
        throw new Error(page.t('admin.refused'), { cause: error })
      }
    }
  }
}
