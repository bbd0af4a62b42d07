// A list of rows that open beside it: the table bound to its load, its selection and its empty states.
import type { Filters, KeelsonPage, ListLoad, Selection, TableColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'

/** What a table of a list shows. */
export interface ListTable<Row> {
  readonly heading: string
  readonly note?: string
  readonly columns: TableColumn<Row>[]
  readonly list: ListLoad<readonly unknown[], Row>
  idOf(row: Row): string
  /** Rows open by it beside the list; else `href` leads to their own page. */
  readonly selection?: Selection<Row>
  href?(row: Row): string
  /** What to say when there are no rows, in the slot `empty`. */
  readonly empty: TemplateResult
  /** In the slot `actions`. */
  readonly actions?: TemplateResult
  readonly slot?: string
}

/** The table. */
export function listTable<Row>(table: ListTable<Row>): TemplateResult {
  const { list, selection, href, idOf } = table
  return html`<keelson-table
    slot=${table.slot ?? nothing}
    keys
    heading=${table.heading}
    note=${table.note ?? ''}
    .columns=${table.columns}
    .rows=${list.rows}
    .rowId=${idOf}
    .rowHref=${selection?.href ?? href}
    .selected=${selection?.id ?? null}
    .loading=${list.isBusy}
    .more=${list.hasMore}
    .error=${list.failure}
    @keelson-more=${() => list.more()}
    @keelson-retry=${() => list.retry()}
    @keelson-open=${(event: CustomEvent<{ row: Row }>) => selection?.onOpen(event)}
    @keelson-move=${(event: CustomEvent<{ row: Row }>) => selection?.onMove(event)}
  >
    ${table.actions ?? nothing} ${table.empty}
  </keelson-table>`
}

/** What an empty list says: that no row fits the filters, with a link to clear them; else that there are none. */
export function emptyList(page: KeelsonPage, source: string, filters: Filters): TemplateResult {
  const { t } = page
  if (filters.value.length > 0)
    return html`<keelson-empty slot="empty" heading=${t(`${source}.noneFound`)}>
      <a class="btn" href=${page.address(filters.changes([]))}>${t(`${source}.clear`)}</a>
    </keelson-empty>`
  return html`<keelson-empty slot="empty" heading=${t(`${source}.none`)} text=${t(`${source}.noneText`)}></keelson-empty>`
}

/** A query of what is set. */
export function queryOf(values: Readonly<Record<string, string | null>>): string {
  const set = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1])
  return new URLSearchParams(set).toString()
}
