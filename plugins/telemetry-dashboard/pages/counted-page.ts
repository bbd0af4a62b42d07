// A page of records over time: how many there are under its filters, in this range and the one before.
import { Load } from '@keelson/ui'
import { previousSpan, type Span } from './buckets.ts'
import { RangedPage } from './ranged-page.ts'
import { countsPath, readCounts } from './requests.ts'

export class CountedPage extends RangedPage {
  /** What is counted. */
  protected get askingRows(): URLSearchParams {
    return this.asking
  }

  protected readonly counts = new Load(this, {
    args: () => [this.askingRows.toString(), this.span.from, this.span.to, this.interval] as const,
    run: async ([filters, from, to, interval], signal) => {
      const span = { from, to }
      const ask = (one: Span) =>
        this.read<Parameters<typeof readCounts>[0]>(
          countsPath(new URLSearchParams(filters), one, interval),
          signal
        )
      const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
      return { now: readCounts(now), before: readCounts(before), span, interval }
    }
  })
}
