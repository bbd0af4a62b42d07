// The List hygiene page: how engaged subscribers are, and what changes without those who never react.
import {
  type AsJson,
  apiOf,
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  type Messages,
  RequestError,
  registerCatalog,
  shareCell,
  shareStyles,
  type TableColumn,
  tableView,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { HygieneReport } from '../../report/report.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}

type Report = AsJson<HygieneReport>
type Bucket = Report['buckets'][number]

interface Impact {
  readonly id: string
  readonly label: string
  readonly now: number | null
  readonly later: number | null
}

class EngagementPage extends KeelsonPage {
  static override readonly styles = [controls, shareStyles]
  readonly #api = apiOf(this, { at: '/admin/mailer/api' })
  #isFresh = false
  readonly #report = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#read(signal)
  })

  protected override get windowTitle(): string {
    return this.t('hygiene.title')
  }

  /** Null: the first report is still being computed. */
  async #read(signal: AbortSignal): Promise<Report | null> {
    try {
      return await this.#api.read<Report>(`/hygiene${this.#isFresh ? '?refresh=1' : ''}`, signal)
    } catch (error) {
      const { code, status } = error as Partial<RequestError>
      if (error instanceof RequestError && (code === 'report_pending' || status === 503))
        return null
      throw error
    }
  }

  #refresh(): void {
    this.#isFresh = true
    void this.#report.reload()
  }

  protected override content(): TemplateResult {
    const { value } = this.#report
    return html`<keelson-page-header heading=${this.t('hygiene.title')}>
        <button class="btn" @click=${() => this.#refresh()}>${this.t('hygiene.refresh')}</button>
      </keelson-page-header>
      <div class="main">${value === null ? this.#pending() : html`${this.#tiles(value)} ${this.#report.isFirst ? nothing : html`${this.#buckets(value)} ${this.#impact(value)}`}`}</div>`
  }

  #pending(): TemplateResult {
    return html`<div class="card"><keelson-empty heading=${this.t('hygiene.pending')} text=${this.t('hygiene.pendingText')}></keelson-empty></div>`
  }

  #tiles(report: Report | undefined): TemplateResult {
    const { isFirst, failure } = this.#report
    const error = report === undefined ? failure : undefined
    const sunset = report?.sunsetCandidate
    const tile = (label: string, value: number | undefined, against: string) =>
      html`<keelson-stat label=${this.t(label)} value=${this.format.number(value ?? 0)} against=${against} .error=${error} ?loading=${isFirst}></keelson-stat>`
    const computed =
      report === undefined
        ? ''
        : this.t('hygiene.computed', {
            time: timeText(report.computedAt, Date.now(), this.format)
          })
    const share = this.format.percent((sunset?.pctOfTotal ?? 0) / 100, 1)
    return html`<div class="tiles">
      ${tile('hygiene.subscribers', report?.totalSubscribers, computed)}
      ${tile('hygiene.mailed', report?.totalWithSends, this.t('hygiene.mailedNote'))}
      ${tile('hygiene.sunset', sunset?.count, this.t('hygiene.sunsetNote', { share }))}
    </div>`
  }

  #buckets(report: Report | undefined): TemplateResult {
    const columns: TableColumn<Bucket & { id: string }>[] = [
      { id: 'label', header: this.t('hygiene.bucket'), cell: (bucket) => this.#bucketName(bucket) },
      {
        id: 'count',
        header: this.t('hygiene.count'),
        width: 110,
        align: 'end',
        cell: ({ count }) => this.format.number(count)
      },
      {
        id: 'share',
        header: this.t('hygiene.share'),
        hideBelow: 400,
        cell: ({ pctOfTotal }) => shareCell(pctOfTotal / 100, this.format)
      }
    ]
    return tableView({
      heading: this.t('hygiene.buckets'),
      note: this.t('hygiene.bucketsNote'),
      columns,
      rows: (report?.buckets ?? []).map((bucket) => ({ ...bucket, id: bucket.label })),
      read: this.#report
    })
  }

  #bucketName({ minDays, maxDays, neverEngaged }: Bucket): string {
    if (neverEngaged) return this.t('hygiene.never')
    if (maxDays === null)
      return this.t('hygiene.over', { days: this.format.number((minDays ?? 1) - 1) })
    if ((minDays ?? 0) === 0) return this.t('hygiene.last', { days: this.format.number(maxDays) })
    return this.t('hygiene.between', {
      from: this.format.number(minDays ?? 0),
      to: this.format.number(maxDays)
    })
  }

  #impact(report: Report | undefined): TemplateResult {
    const impact = report?.sunsetCandidate.projectedImpact ?? null
    const rows: Impact[] =
      impact === null
        ? []
        : [
            {
              id: 'bounces',
              label: this.t('hygiene.bounces'),
              now: impact.currentOverallBounceRate,
              later: impact.projectedBounceRate
            },
            {
              id: 'complaints',
              label: this.t('hygiene.complaints'),
              now: impact.currentOverallComplaintRate,
              later: impact.projectedComplaintRate
            }
          ]
    const share = (value: number | null) => (value === null ? '–' : this.format.percent(value, 2))
    const columns: TableColumn<Impact>[] = [
      { id: 'label', header: this.t('hygiene.rate'), cell: ({ label }) => label },
      {
        id: 'now',
        header: this.t('hygiene.now'),
        width: 110,
        align: 'end',
        cell: ({ now }) => share(now)
      },
      {
        id: 'later',
        header: this.t('hygiene.later'),
        width: 130,
        align: 'end',
        cell: ({ later }) => share(later)
      }
    ]
    return tableView({
      heading: this.t('hygiene.impact'),
      note: this.t('hygiene.impactNote'),
      columns,
      rows,
      read: this.#report,
      empty: { heading: this.t('hygiene.noImpact'), text: this.t('hygiene.noImpactText') }
    })
  }
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonEmpty)
definePage('list-hygiene-engagement', EngagementPage)
