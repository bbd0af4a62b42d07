// What the Overview page asks for: counts in groups, people, span durations, issues.
import { Load } from '@keelson/ui'
import { chooseInterval, previousSpan, type Span } from '../buckets.ts'
import { readIssues } from '../errors/issues.ts'
import { RangedPage } from '../ranged-page.ts'
import { peopleFamily } from '../registry.ts'
import { distinctPath, distributionPath, path } from '../requests.ts'
import { type ActivityAnswer, activityPath } from './activity.ts'

/** Issues that are listed. */
const MOST_ISSUES = 8
const SPANS = new URLSearchParams({ kind: 'span' })

interface Distinct {
  readonly distinct: number
  readonly buckets: readonly { readonly value: number }[]
  readonly truncated?: boolean
}

interface Distribution {
  readonly truncated?: boolean
  readonly p50?: number
  readonly p95?: number
}

/** Both rankings are loaded alike. */
export type Rankings = Load<
  readonly [number, number],
  { readonly now: ActivityAnswer; readonly before: ActivityAnswer; readonly span: Span }
>

export class OverviewState extends RangedPage {
  protected override get windowTitle(): string {
    return this.t('overview.title')
  }

  /** Two answers to one question: of this range and of the one before. */
  async #both<T>(span: Span, path: (span: Span) => string, signal: AbortSignal) {
    const ask = (one: Span) => this.read<T>(path(one), signal)
    const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
    return { now, before, span }
  }

  protected readonly kinds = new Load(this, {
    args: () => [this.span.from, this.span.to] as const,
    run: ([from, to], signal) => {
      const interval = chooseInterval({ from, to }, null)
      const kinds = (span: Span) => activityPath(span, ['kind'], interval)
      return this.#both<ActivityAnswer>({ from, to }, kinds, signal)
    }
  })

  protected readonly names = new Load(this, {
    args: () => [this.span.from, this.span.to] as const,
    run: ([from, to], signal) =>
      this.#both<ActivityAnswer>(
        { from, to },
        (span) => activityPath(span, ['name', 'kind']),
        signal
      )
  })

  protected readonly services = new Load(this, {
    args: () => [this.span.from, this.span.to] as const,
    run: ([from, to], signal) =>
      this.#both<ActivityAnswer>({ from, to }, (span) => activityPath(span, ['service']), signal)
  })

  /** Side by side, for who sees all of them. */
  protected readonly tenants = new Load(this, {
    args: () =>
      this.registry.value?.platform === true ? ([this.span.from, this.span.to] as const) : null,
    run: ([from, to], signal) =>
      this.#both<ActivityAnswer>({ from, to }, (span) => activityPath(span, ['tenantId']), signal)
  })

  /** What people of this range are counted with. */
  protected get family(): string | undefined {
    const registry = this.registry.value
    return registry && peopleFamily(registry, null, this.span)
  }

  protected readonly people = new Load(this, {
    args: () => {
      const { family } = this
      return family === undefined ? null : ([family, this.span.from, this.span.to] as const)
    },
    run: ([family, from, to], signal) => {
      const interval = chooseInterval({ from, to }, null)
      return this.#both<Distinct>(
        { from, to },
        (span) => distinctPath(family, span, interval),
        signal
      )
    }
  })

  protected readonly spans = new Load(this, {
    args: () => [this.span.from, this.span.to] as const,
    run: ([from, to], signal) =>
      this.#both<Distribution>(
        { from, to },
        (span) => distributionPath(SPANS, span, 'durationMs'),
        signal
      )
  })

  protected readonly issues = new Load(this, {
    args: () => [this.span.from, this.span.to] as const,
    run: async ([from, to], signal) => {
      const params = new URLSearchParams({ limit: String(MOST_ISSUES) })
      return readIssues(await this.read(path('issues', params, { from, to }, {}), signal)).issues
    }
  })

  protected override refresh(): void {
    if (this.isMoving) {
      super.refresh()
      return
    }
    const loads = [
      this.kinds,
      this.names,
      this.services,
      this.tenants,
      this.people,
      this.spans,
      this.issues
    ]
    for (const load of loads) void load.reload()
  }

  protected override get isWaiting(): boolean {
    return this.kinds.isPending
  }

  protected override get pageId(): string {
    return 'overview'
  }
}
