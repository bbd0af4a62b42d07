// The Health page: rates of every sender domain and kind against their limits, trips and resumes.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  Shortcuts,
  saidWords,
  type TableColumn,
  tableView,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Bucket, healthApi, type Trip } from '../api.ts'
import { beforeResume, beforeStyles, type ResumeWays } from '../before-resume.ts'
import { bucketName } from '../bucket-name.ts'
import { type Rate, ratesOf, toneOf } from '../rates.ts'
import { readFacts } from '../read-facts.ts'
import { resumeWays } from '../resume-ways.ts'
import { registerTexts } from '../texts.ts'

const TONES = { healthy: 'good', degraded: 'warn', tripped: 'bad' } as const

interface BucketLine extends Bucket {
  readonly id: string
  readonly lines: readonly Rate[]
}

class HealthPage extends KeelsonPage {
  static override readonly styles = [controls, beforeStyles]
  readonly #api = healthApi(this)
  readonly #facts = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => readFacts(this.#api, signal)
  })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => this.#refresh() }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('health.title')
  }

  #refresh(): void {
    void this.#facts.reload()
  }

  protected override content(): TemplateResult {
    const status = this.#facts.value?.health.status ?? null
    return html`<keelson-page-header heading=${this.t('health.title')}>
        ${status === null ? nothing : html`<span slot="tags" class="tag ${TONES[status]}">${this.t(`health.status.${status}`)}</span>`}
        <button class="btn" @click=${() => this.#refresh()}>${icon('refresh', 14)}${this.t('ui.refresh')}</button>
      </keelson-page-header>
      <div class="main">${this.#tiles()} ${this.#buckets()} ${this.#facts.isFirst ? nothing : html`${this.#before()} ${this.#tripTable()}`}</div>`
  }

  #tiles(): TemplateResult {
    const { value, failure } = this.#facts
    const { aggregate = null, thresholds } = value?.health ?? {}
    const rates = aggregate && thresholds ? ratesOf(aggregate, thresholds) : []
    const ids = ['hardBounce', 'complaint', 'bounce', 'failure'] as const
    return html`<div class="tiles">
      ${ids.map((id) => {
        const rate = rates.find((one) => one.id === id)
        const shown = rate?.value ?? null
        return html`<keelson-stat
          label=${this.t(`health.rate.${id}`)}
          value=${shown === null ? '–' : this.format.percent(shown, 1)}
          tone=${rate !== undefined && toneOf(rate) === 'bad' ? 'bad' : ''}
          against=${rate === undefined ? '' : this.t('health.limit', { limit: this.format.percent(rate.limit, 1) })}
          .error=${value === undefined ? failure : undefined}
          ?loading=${this.#facts.isFirst}
        ></keelson-stat>`
      })}
    </div>`
  }

  #buckets(): TemplateResult {
    const value = this.#facts.value?.health
    const rows = (value?.buckets ?? []).map(
      (bucket): BucketLine => ({
        ...bucket,
        id: `${bucket.senderDomain ?? ''}|${bucket.kind}`,
        lines: value === undefined ? [] : ratesOf(bucket, value.thresholds)
      })
    )
    const { windowMinutes, minSendsBeforeEval } = value?.thresholds ?? {}
    const note =
      windowMinutes === undefined
        ? ''
        : this.t('health.window', {
            minutes: this.format.number(windowMinutes),
            count: this.format.number(minSendsBeforeEval ?? 0)
          })
    return tableView({
      heading: this.t('health.buckets'),
      note,
      columns: this.#columns(),
      rows,
      read: this.#facts,
      empty: { heading: this.t('health.none'), text: this.t('health.noneText') }
    })
  }

  #columns(): TableColumn<BucketLine>[] {
    const rate = (id: Rate['id'], hideBelow: number): TableColumn<BucketLine> => ({
      id,
      header: this.t(`health.rate.${id}`),
      align: 'end',
      width: 116,
      hideBelow,
      cell: ({ lines }) => this.#rate(lines.find((one) => one.id === id))
    })
    return [
      {
        id: 'domain',
        header: this.t('health.domain'),
        least: 190,
        cell: ({ senderDomain, kind }) =>
          html`${senderDomain ?? this.t('health.noDomain')} <span class="dim">${this.t(`health.kind.${kind}`)}</span>`,
        hint: ({ senderDomain, kind }) =>
          `${senderDomain ?? this.t('health.noDomain')}, ${this.t(`health.kind.${kind}`)}`
      },
      {
        id: 'status',
        header: this.t('health.status'),
        width: 90,
        cell: ({ status }) =>
          html`<span class="tag ${TONES[status]}">${this.t(`health.status.${status}`)}</span>`,
        hint: (bucket) => this.#why(bucket)
      },
      {
        id: 'sent',
        header: this.t('health.sent'),
        align: 'end',
        width: 72,
        hideBelow: 560,
        cell: ({ counters }) => this.format.number(counters.sent)
      },
      rate('hardBounce', 640),
      rate('complaint', 740),
      rate('bounce', 840),
      rate('failure', 940),
      {
        id: 'act',
        header: '',
        hiddenHeader: this.t('health.resume'),
        width: 84,
        cell: (bucket) =>
          bucket.status === 'tripped'
            ? html`<button class="btn" aria-label=${this.t('health.resumeAsk', { name: bucket.senderDomain ?? this.t('health.noDomain') })} @click=${() => this.#ways(bucket).onResume()}>${this.t('health.resume')}</button>`
            : ''
      }
    ]
  }

  /** Why it tripped, or is warned about. */
  #why({ trippedReason, trippedSaid, warning, warningSaid }: Bucket): string | undefined {
    if (trippedReason !== null)
      return saidWords({ message: trippedReason, said: trippedSaid }, this)
    return warning === null ? undefined : saidWords({ message: warning, said: warningSaid }, this)
  }

  #rate(rate: Rate | undefined): unknown {
    if (rate === undefined || rate.value === null) return '–'
    const tone = toneOf(rate)
    const words = this.format.percent(rate.value, 1)
    return tone === 'bad' || tone === 'warn'
      ? html`<span class="tag ${tone}">${words}</span>`
      : words
  }

  #ways(bucket: Bucket): ResumeWays {
    return resumeWays(this, bucket, () => this.#refresh())
  }

  /** One card for each tripped domain. */
  #before(): readonly TemplateResult[] {
    const { value } = this.#facts
    const tripped = (value?.health.buckets ?? []).filter(({ status }) => status === 'tripped')
    return value === undefined
      ? []
      : tripped.map((bucket) => beforeResume(bucket, value, this, this.#ways(bucket)))
  }

  #reason({ reason, said }: Trip['after']): string | undefined {
    return reason === null ? undefined : saidWords({ message: reason, said }, this)
  }

  #tripTable(): TemplateResult {
    const columns: TableColumn<Trip>[] = [
      timeColumn(this, ({ at }) => at, { id: 'when', header: this.t('health.when') }),
      {
        id: 'what',
        header: this.t('health.what'),
        width: 118,
        cell: ({ action }) =>
          action === 'health.trip'
            ? html`<span class="tag bad">${this.t('health.trip')}</span>`
            : html`<span class="tag good">${this.t('health.resumedWord')}</span>`
      },
      {
        id: 'domain',
        header: this.t('health.domain'),
        cell: ({ resource }) => bucketName(resource.slug, this.t),
        hideBelow: 480
      },
      {
        id: 'reason',
        header: this.t('health.reason'),
        grow: 3,
        wraps: true,
        cell: ({ after }) => this.#reason(after) ?? '–',
        hint: ({ after }) => this.#reason(after)
      },
      {
        id: 'who',
        header: this.t('health.who'),
        quiet: true,
        hideBelow: 760,
        cell: ({ actor }) => actorWords(actor, this.t('health.automatic'))
      }
    ]
    return tableView({
      heading: this.t('health.trips'),
      columns,
      rows: this.#facts.value?.trips ?? [],
      read: this.#facts,
      empty: { heading: this.t('health.noTrips'), text: this.t('health.noTripsText') }
    })
  }
}

/** `human:ada@acme.test` without its kind; plugins act on their own. */
const actorWords = (actor: string, automatic: string): string =>
  actor.startsWith('system:') ? automatic : actor.slice(actor.indexOf(':') + 1)

registerTexts()
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonEmpty)
definePage('circuit-breaker-health', HealthPage)
