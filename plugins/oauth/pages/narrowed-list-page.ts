// A list for administrators that is narrowed by client and person: its table, its page by page, its empty states.
import type { TableColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { AdminPage } from './admin-page.ts'
import { ListLoad } from './list-load.ts'

/** Rows that lead somewhere. */
export interface RowBinding<Row> {
  readonly selected: string | null
  href(row: Row): string
  open(id: string): void
  /** The keys moved on to another row. */
  move(id: string): void
}

export abstract class NarrowedListPage<Row extends { readonly id: string }> extends AdminPage {
  /** The list below `/admin/` of the API; its texts begin so: title, heading, note, none, noneText, noneFound. */
  protected abstract get source(): string
  /** Rows of one page of the list. */
  protected abstract get size(): number
  protected abstract get columns(): TableColumn<Row>[]
  /** The query that brings what comes below these rows. */
  protected abstract below(rows: readonly Row[]): Readonly<Record<string, string>>

  protected readonly list = this.#makeList()

  protected get client(): string {
    return this.params.get('client') ?? ''
  }

  protected get person(): string {
    return this.params.get('user') ?? ''
  }

  protected override get windowTitle(): string {
    return this.t(`${this.source}.title`)
  }

  protected override refresh(): void {
    void this.list.reload()
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t(`${this.source}.title`)}>
        ${this.clientChoice(this.client, ['', this.t('admin.allClients')])}
        ${this.personField(this.person)} ${this.refreshButton()}
      </keelson-page-header>
      <div class="main">${this.body()}</div>`
  }

  /** What is below the header. */
  protected body(): TemplateResult {
    return this.table()
  }

  protected table(
    binding?: RowBinding<Row>,
    { slot }: { readonly slot?: string } = {}
  ): TemplateResult {
    const { rows, value, isFirst, isPending, isMore, status, error, moreError } = this.list
    return html`<keelson-table
      slot=${slot ?? nothing}
      ?keys=${binding !== undefined}
      heading=${this.t(`${this.source}.heading`)}
      note=${this.t(`${this.source}.note`)}
      .columns=${this.columns}
      .rows=${rows}
      .rowHref=${binding && ((row: Row) => binding.href(row))}
      .selected=${binding?.selected ?? null}
      .loading=${isFirst || isPending || isMore}
      .more=${value?.hasMore === true}
      .error=${status === 'error' ? error : moreError}
      @keelson-more=${() => this.list.more()}
      @keelson-retry=${() => this.refresh()}
      @keelson-open=${(event: CustomEvent<{ id: string }>) => {
        if (binding === undefined) return
        event.preventDefault()
        binding.open(event.detail.id)
      }}
      @keelson-move=${({ detail }: CustomEvent<{ id: string }>) => binding?.move(detail.id)}
    >
      ${this.#empty()}
    </keelson-table>`
  }

  #makeList(): ListLoad<readonly [client: string, person: string], Row> {
    return new ListLoad(this, {
      args: () => [this.client, this.person] as const,
      size: this.size,
      idOf: ({ id }) => id,
      page: async ([clientId, userId], after, signal) => {
        const query = new URLSearchParams({ limit: String(this.size), ...this.below(after) })
        if (clientId !== '') query.set('clientId', clientId)
        if (userId !== '') query.set('userId', userId)
        return (await this.read<{ items: Row[] }>(`/admin/${this.source}?${query}`, signal)).items
      }
    })
  }

  #empty(): TemplateResult {
    if (this.client !== '' || this.person !== '') {
      return html`<keelson-empty slot="empty" heading=${this.t(`${this.source}.noneFound`)}>
        <a class="btn" href=${this.address({ client: null, user: null })}>${this.t('admin.clear')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${this.t(`${this.source}.none`)}
      text=${this.t(`${this.source}.noneText`)}
    ></keelson-empty>`
  }
}
