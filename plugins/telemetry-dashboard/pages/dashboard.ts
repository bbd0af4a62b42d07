// What all pages of the dashboard have: the API, the registry, links to one another, saved views.
import {
  type Api,
  addedParams,
  apiOf,
  icon,
  type KeelsonPage,
  Load,
  rangeParams,
  readRange,
  type Shortcut
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { readTogether } from './read-together.ts'
import type { RecordRow } from './records/record.ts'
import type { RecordFileArgs } from './records/record-file.ts'
import type { RegistryAnswer } from './registry.ts'
import { ViewsControl } from './views/views-control.ts'

export interface DashboardOptions {
  /** The page's id among those that views can be saved of; omitted: the page has no views. */
  readonly view?: string
}

const RANGE = ['range', 'from', 'to']
/** What the pages share: the range, and the filters that nearly all of them know. */
const KEPT = [...RANGE, 'env', 'service', 'tenant']

export class Dashboard {
  readonly page: KeelsonPage
  readonly api: Api
  readonly registry: Load<readonly [], RegistryAnswer>
  readonly #views: ViewsControl | undefined

  constructor(page: KeelsonPage, { view }: DashboardOptions = {}) {
    this.page = page
    page.kept = KEPT
    const api = apiOf(page)
    this.api = { ...api, read: readTogether(page, api.read) }
    this.registry = new Load(page, {
      args: () => [] as const,
      run: async (_args, signal) => ({
        ...(await this.api.read<RegistryAnswer>('/api/registry', signal)),
        language: page.format.locale
      })
    })
    if (view === undefined) return
    const href = (id: string, params: Readonly<Record<string, string>>) => this.href(id, params)
    this.#views = new ViewsControl({
      page,
      api: this.api,
      href,
      view,
      isAdmin: () => this.isAdmin
    })
  }

  /** Whether the viewer sees all tenants. */
  get isPlatform(): boolean {
    return this.registry.value?.platform === true
  }

  get isAdmin(): boolean {
    return this.registry.value?.role === 'admin'
  }

  /** V opens the views. */
  get shortcuts(): readonly Shortcut[] {
    const views = this.#views
    if (views === undefined) return []
    return [{ keys: 'v', label: this.page.t('view.open'), run: () => void views.open() }]
  }

  /** The button that opens the views, with their dialog. */
  views(): TemplateResult | typeof nothing {
    return this.#views?.render() ?? nothing
  }

  /** The address of another page of the dashboard: with the range of this one, unless it names its own. */
  href(place: string, params: Readonly<Record<string, string>> = {}): string {
    const range = readRange(this.page.params)
    const isOwn = range === undefined || RANGE.some((name) => name in params)
    const query = new URLSearchParams({
      ...(isOwn ? {} : addedParams(rangeParams(range))),
      ...params
    }).toString()
    return `${this.page.apiBase.replace(/\/$/, '')}/${place}${query === '' ? '' : `?${query}`}`
  }

  /** All records that fit, as a file; undefined when it failed, which the page has said. */
  async recordFile(...wanted: RecordFileArgs): Promise<Blob | undefined> {
    return (await import('./records/record-file.ts')).recordFile(this, ...wanted)
  }

  /** Ids are unique in a tenant: a viewer of all tenants may see the same id twice. */
  rowId({ tenantId, _id }: Pick<RecordRow, 'tenantId' | '_id'>): string {
    return this.isPlatform ? `${tenantId} ${_id}` : _id
  }

  /** A link to a new alert rule with these parameters, for those who may create one. */
  alertLink(params: Readonly<Record<string, string>>): TemplateResult | typeof nothing {
    if (!this.isAdmin) return nothing
    const { t } = this.page
    const hint = t('page.alertHint')
    return html`<a class="btn" title=${hint} aria-label=${hint} href=${this.href('alerts', params)}
      >${icon('alert', 14)}<span class="hide">${t('page.alert')}</span></a
    >`
  }
}
