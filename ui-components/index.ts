// The public entry of @keelson/ui. Importing it does nothing; `define` registers what a page uses.
export { type Api, type ApiOptions, apiOf } from './api.ts'
export type { AsJson } from './as-json.ts'
export { breadcrumb } from './breadcrumb.ts'
export { chartLoad, loadChart } from './chart/load.ts'
export { ChartView } from './controllers/chart-view.ts'
export type { Filter, FilterField } from './controllers/filter.ts'
export {
  type FilterCodec,
  Filters,
  type FiltersOptions,
  fieldFilters
} from './controllers/filters.ts'
export {
  joinRows,
  type Listed,
  ListLoad,
  type ListLoadOptions,
  type ListPage,
  type ListPosition
} from './controllers/list-load.ts'
export { Live, type LiveOptions, type Reloadable } from './controllers/live.ts'
export { Load, type LoadHost, type LoadOptions, type LoadStatus } from './controllers/load.ts'
export { Locale } from './controllers/locale.ts'
export {
  DEFAULT_RANGES,
  type Range,
  rangeBounds,
  rangeLength,
  rangeParams,
  rangeText,
  readRange
} from './controllers/range.ts'
export { Selection, type SelectionOptions } from './controllers/selection.ts'
export {
  chooseSingleKeys,
  hasSingleKeys,
  type Shortcut,
  Shortcuts,
  shortcutsInForce
} from './controllers/shortcuts.ts'
export { type Span, TimeRange, type TimeRangeOptions } from './controllers/time-range.ts'
export { controls } from './controls.ts'
export { define, definePage, type ElementClass } from './define.ts'
export { type DocumentsApi, documentsApiOf } from './documents-api.ts'
export { type Download, downloadLink } from './download-link.ts'
export { KeelsonCopy } from './elements/copy/element.ts'
export { KeelsonDialog } from './elements/dialog/element.ts'
export { KeelsonDrawer } from './elements/drawer/element.ts'
export { KeelsonElement } from './elements/element.ts'
export { KeelsonEmpty } from './elements/empty/element.ts'
export { KeelsonError } from './elements/error/element.ts'
export { BlockedError, errorText, type FieldError, RequestError } from './elements/error/message.ts'
export { KeelsonFilterChips } from './elements/filter-chips/element.ts'
export { KeelsonPageHeader } from './elements/page-header/element.ts'
export { KeelsonRangePicker } from './elements/range-picker/element.ts'
export { KeelsonSeriesTable } from './elements/series-table/element.ts'
export type { ChartSeries, ChartTone } from './elements/series-table/series.ts'
export { KeelsonStat } from './elements/stat/element.ts'
export type { TableColumn, TableSort } from './elements/table/column.ts'
export { KeelsonTable } from './elements/table/element.ts'
export { KeelsonToasts } from './elements/toasts/element.ts'
export { exportButtons } from './export.ts'
export { confirm, toast } from './feedback.ts'
export { type Cells, csvOf, saveFile } from './files.ts'
export { Draft, type DraftOptions, type DraftRequest, type DraftRow } from './form/draft.ts'
export type { DraftPhase } from './form/draft-state.ts'
export { type FormDialog, formDialog, formField, formText } from './form/form-dialog.ts'
export { Sending } from './form/sending.ts'
export { createFormat, type Format } from './format.ts'
export { type IconName, icon } from './icons.ts'
export { type JsonInit, KeelsonPage } from './keelson-page.ts'
export {
  List,
  type ListFilters,
  type ListOptions,
  type ListPanel,
  type ListSource,
  type Narrowing
} from './list/list.ts'
export {
  KeelsonListPage,
  type ListDialog,
  type ListPageOptions,
  type ListPageParts,
  listPage
} from './list/list-page.ts'
export {
  type ChoiceFieldOptions,
  choiceField,
  type SearchFieldOptions,
  searchField
} from './list/narrowing-fields.ts'
export {
  type TableEmpty,
  type TablePanel,
  type TableRead,
  type TableView,
  tableView
} from './list/table-view.ts'
export { type TimeColumn, timeColumn } from './list/time-column.ts'
export {
  type Message,
  type Messages,
  registerCatalog,
  type Translations,
  translate
} from './locales/catalog.ts'
export { menu } from './menu.ts'
export { dayText, timeText } from './moments.ts'
export {
  BusyEvent,
  ConfirmEvent,
  type ConfirmOptions,
  NavigateEvent,
  PAGE_CONTRACT,
  type PageElement,
  PageErrorEvent,
  type PageHost,
  type PageRoute,
  SignInEvent,
  TitleEvent,
  ToastEvent,
  type ToastOptions,
  type Tone
} from './page.ts'
export { addedParams, type ParamChanges } from './param-changes.ts'
export { plainLink } from './plain-link.ts'
export { plainName } from './plain-name.ts'
export { recordStyles } from './record-styles.ts'
export { type SaidWords, saidWords, type Worded } from './said.ts'
export type { Export } from './save-export.ts'
export { shareBar, shareCell, shareStyles } from './share-bar.ts'
export { type ShownOnce, shownOnce } from './shown-once.ts'
export { base, tokens } from './tokens.ts'
export { LEAST_BASE, trendText } from './trend.ts'
export type { UiManifest } from './ui-manifest.ts'
export type { ViewGroup, ViewItem } from './views/item.ts'
export { loadViews } from './views/load.ts'
