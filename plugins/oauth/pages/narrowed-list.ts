// A list for administrators that is filtered by client and person: its loading, its table, its empty states.
import { type KeelsonPage, ListLoad, type Selection, type TableColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Admin } from './admin.ts'

export interface NarrowedListOptions<Row> {
  readonly admin: Admin
  /** The list below `/admin/` of the API, and the prefix of its texts. */
  readonly source: 'grants' | 'audit'
  /** Rows of one page of the list. */
  readonly size: number
  /** The query that reads what comes below these rows. */
  below(rows: readonly Row[]): Readonly<Record<string, string>>
}

export interface NarrowedTableOptions<Row> {
  readonly columns: TableColumn<Row>[]
  /** Rows open by it; omitted: rows do not open. */
  readonly selection?: Selection<Row>
  readonly slot?: string
}

/** What the rows of such a list have. */
export interface PersonRow {
  readonly id: string
  readonly userId?: string
  /** The name of the person. */
  readonly person?: string
}

export class NarrowedList<Row extends PersonRow> {
  readonly #page: KeelsonPage
  readonly #options: NarrowedListOptions<Row>
  readonly list: ListLoad<readonly [client: string, person: string], Row>

  constructor(page: KeelsonPage, options: NarrowedListOptions<Row>) {
    this.#page = page
    this.#options = options
    const { admin, source, size, below } = options
    this.list = new ListLoad(page, {
      args: () => [this.#client, this.#person] as const,
      size,
      idOf: ({ id }) => id,
      page: ([clientId, userId], { rows }, signal) => {
        const query = new URLSearchParams({ limit: String(size), ...below(rows) })
        if (clientId !== '') query.set('clientId', clientId)
        if (userId !== '') query.set('userId', userId)
        return admin.api.read<{ items: Row[] }>(`/admin/${source}?${query}`, signal)
      }
    })
  }

  get #client(): string {
    return this.#page.params.get('client') ?? ''
  }

  get #person(): string {
    return this.#page.params.get('user') ?? ''
  }

  /** The names of the people in the list, by id. */
  get #people(): ReadonlyMap<string, string> {
    return new Map(
      this.list.rows.flatMap(({ userId, person }): [string, string][] =>
        userId === undefined || person === undefined ? [] : [[userId, person]]
      )
    )
  }

  /** The header of the page, with the controls that filter. */
  header(): TemplateResult {
    const { admin, source } = this.#options
    const { t } = this.#page
    return html`<keelson-page-header heading=${t(`${source}.title`)}>
      ${admin.clientChoice(this.#client, ['', t('admin.allClients')])}
      ${admin.personField(this.#people)} ${admin.refreshButton()}
    </keelson-page-header>`
  }

  table({ columns, selection, slot }: NarrowedTableOptions<Row>): TemplateResult {
    const { list } = this
    const { source } = this.#options
    const { t } = this.#page
    const open = list.rows.find(({ id }) => id === selection?.id)
    return html`<keelson-table
      slot=${slot ?? nothing}
      ?keys=${selection !== undefined}
      heading=${t(`${source}.heading`)}
      note=${t(`${source}.note`)}
      .columns=${columns}
      .rows=${list.rows}
      .rowHref=${selection?.href}
      .selected=${open?.id ?? null}
      .loading=${list.isBusy}
      .more=${list.hasMore}
      .error=${list.failure}
      @keelson-more=${() => list.more()}
      @keelson-retry=${() => list.retry()}
      @keelson-open=${(event: CustomEvent<{ row: Row }>) => selection?.onOpen(event)}
      @keelson-move=${(event: CustomEvent<{ row: Row }>) => selection?.onMove(event)}
    >
      ${this.#empty()}
    </keelson-table>`
  }

  #empty(): TemplateResult {
    const { source } = this.#options
    const { t } = this.#page
    if (this.#client !== '' || this.#person !== '') {
      return html`<keelson-empty slot="empty" heading=${t(`${source}.noneFound`)}>
        <a class="btn" href=${this.#page.address({ client: null, user: null })}>${t('admin.clear')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${t(`${source}.none`)}
      text=${t(`${source}.noneText`)}
    ></keelson-empty>`
  }
}
