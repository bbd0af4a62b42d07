// A table as a page declares it: its rows and the read behind them, where they lead, and the panel beside it.
import { html, nothing, type TemplateResult } from 'lit'
import type { Selection } from '../controllers/selection.ts'
import type { TableColumn, TableSort } from '../elements/table/column.ts'

/** The read that rows come from: a `Load`, or a `ListLoad`, which has more of them. */
export interface TableRead {
  readonly isFirst: boolean
  readonly isPending: boolean
  readonly failure: unknown
  retry(): unknown
  readonly isMore?: boolean
  readonly hasMore?: boolean
  more?(): unknown
}

/** What a table without rows says. */
export interface TableEmpty {
  readonly heading: string
  readonly text?: string
  /** Links and buttons below the text. */
  readonly action?: unknown
}

/** What opens beside a table. The page defines `KeelsonDrawer`. */
export interface TablePanel {
  readonly label: string
  /** Pixels. Default: that of the drawer. */
  readonly width?: number | undefined
  /** Default: whether a row is open. */
  readonly isOpen?: boolean
  /** What is shown while it is open, with its head in the slot `header`. */
  readonly content: unknown
  /** Default: closes the open row. */
  onClose?(): void
}

/** A table. The page defines `KeelsonTable`, and `KeelsonEmpty` where `empty` is given. */
export interface TableView<Row> {
  readonly heading: string
  /** Beside the heading. */
  readonly note?: string
  readonly footer?: string
  readonly class?: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  /** Identifies a row. Default: its `id`. */
  idOf?(row: Row): string
  /** Where the rows come from. Default: they are part of the page. */
  readonly read?: TableRead | undefined
  /** Whether `read` runs by itself from time to time: the rows then look the same meanwhile. */
  readonly isLive?: boolean
  /** Why rows are missing that `read` answers with others. Default: that `read` failed. */
  readonly error?: unknown
  /** Rows of bones before the first answer. */
  readonly skeleton?: number | undefined
  /** The open row, a parameter of the address. */
  readonly selection?: Selection<Row> | undefined
  /** The id of the row that is marked. Default: the open one. */
  readonly selected?: string | null
  /** Where a row leads. Default: to itself, open. */
  readonly href?: ((row: Row) => string | undefined) | undefined
  /** A row was opened. Default: the selection opens it, or its link is followed. */
  onOpen?(event: CustomEvent<{ readonly row: Row; readonly shift: boolean }>): void
  /** Whether J and K move through the rows: one table of a page. Default: where rows open. */
  readonly keys?: boolean
  /** What the rows are sorted by. */
  readonly sort?: TableSort | undefined
  onSort?(sort: TableSort): void
  /** All rows that there are, when it is known. */
  readonly total?: number | null
  /** Shows the rest of the rows. Default: that `read` reads the next page, while there is one. */
  readonly onMore?: (() => void) | undefined
  /** In the line above the table, in the slot `actions`. */
  readonly actions?: unknown
  readonly empty?: TableEmpty | undefined
  readonly panel?: TablePanel | undefined
}

/**
 * Draws a table, and the panel beside it. Its state is that of the read and of the address.
 *
 * @example
 * tableView({ heading: t('keys.heading'), columns, rows: keys.value ?? [], read: keys, empty: { heading: t('keys.none') } })
 */
export function tableView<Row>(view: TableView<Row>): TemplateResult {
  const { panel, selection } = view
  if (panel === undefined) return table(view)
  const { isOpen = (selection?.id ?? null) !== null, width, label, onClose, content } = panel
  return html`<keelson-drawer
    ?open=${isOpen}
    width=${width ?? nothing}
    label=${label}
    @keelson-close=${onClose ?? selection?.close}
  >
    ${table(view, 'list')} ${isOpen ? content : nothing}
  </keelson-drawer>`
}

function table<Row>(view: TableView<Row>, slot?: string): TemplateResult {
  const { read, selection, href = selection?.href, onMore, empty } = view
  return html`<keelson-table
    slot=${slot ?? nothing}
    class=${view.class ?? nothing}
    ?keys=${view.keys ?? selection !== undefined}
    heading=${view.heading}
    note=${view.note ?? ''}
    footer=${view.footer ?? ''}
    skeleton=${view.skeleton ?? nothing}
    .columns=${view.columns}
    .rows=${view.rows}
    .rowId=${view.idOf ?? idOf}
    .rowHref=${href}
    .selected=${view.selected === undefined ? (selection?.id ?? null) : view.selected}
    .sort=${view.sort ?? null}
    .total=${view.total ?? null}
    .loading=${isLoading(view)}
    .more=${onMore !== undefined || read?.hasMore === true}
    .error=${view.error ?? read?.failure}
    @keelson-more=${onMore ?? (() => read?.more?.())}
    @keelson-retry=${() => read?.retry()}
    @keelson-sort=${({ detail }: CustomEvent<TableSort>) => view.onSort?.(detail)}
    @keelson-open=${view.onOpen ?? selection?.onOpen}
    @keelson-move=${selection?.onMove}
  >
    ${view.actions ?? nothing} ${empty === undefined ? nothing : emptyTable(empty)}
  </keelson-table>`
}

const idOf = (row: unknown): string => String((row as { readonly id?: unknown }).id)

/** A live read says nothing while it runs again: its rows stay as they are. */
function isLoading({ read, isLive = false }: Pick<TableView<never>, 'read' | 'isLive'>): boolean {
  if (read === undefined) return false
  return read.isFirst || read.isMore === true || (read.isPending && !isLive)
}

const emptyTable = ({ heading, text = '', action }: TableEmpty): TemplateResult =>
  html`<keelson-empty slot="empty" heading=${heading} text=${text}>${action ?? nothing}</keelson-empty>`
