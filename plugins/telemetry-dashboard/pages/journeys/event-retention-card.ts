// Retention over any events: of those who did the first step of the funnel above, who came back, and by what.
import { Load } from '@keelson/ui'
import type { nothing, TemplateResult } from 'lit'
import type { Look } from '../look.ts'
import { pick } from '../parts.ts'
import { eventNames } from '../registry.ts'
import { path } from '../requests.ts'
import type { RetentionAnswer } from './retention.ts'
import { retentionCard } from './retention-card.ts'

export class EventRetentionCard {
  readonly #look: Look
  readonly #first: () => string | undefined
  readonly load

  constructor(look: Look, first: () => string | undefined) {
    this.#look = look
    this.#first = first
    const { page, range, dashboard } = look
    this.load = new Load(page, {
      args: () => {
        const begun = first()
        if (begun === undefined || page.params.has('rollup')) return null
        return [begun, this.#again, range.span.from, range.span.to] as const
      },
      run: ([begun, again, from, to], signal) => {
        const asked = new URLSearchParams({ first: begun, again, interval: 'week' })
        const span = { from, to }
        return dashboard.api.read<RetentionAnswer>(
          path('retention/events', asked, span, {}),
          signal
        )
      }
    })
  }

  /** The event that says who came back; the first one unless another is chosen. */
  get #again(): string {
    return this.#look.page.params.get('again') ?? this.#first() ?? ''
  }

  content(): TemplateResult | typeof nothing {
    const { page } = this.#look
    return retentionCard({
      load: this.load,
      activity: this.#again,
      heading: page.t('back.heading', { name: this.#first() ?? '' }),
      source: 'raw',
      choice: this.#choice(),
      format: page.format,
      t: page.t
    })
  }

  #choice(): TemplateResult {
    const { page, dashboard } = this.#look
    const registry = dashboard.registry.value
    const names = registry === undefined ? [] : eventNames(registry)
    const first = this.#first()
    return pick({
      label: page.t('back.again'),
      chosen: this.#again,
      choices: [...new Set([this.#again, ...names])].map((name) => [name, name] as const),
      onPick: (again) => page.go({ again: again === first ? null : again }, { replace: true })
    })
  }
}
