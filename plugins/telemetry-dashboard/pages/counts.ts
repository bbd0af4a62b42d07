// Answers for the range of a page and for the period before, and counts of records among them.
import { Load, type Span } from '@keelson/ui'
import { previousSpan } from './buckets.ts'
import type { Look } from './look.ts'
import { countsPath, readCounts } from './requests.ts'

/** Asks the same of a range and of the period before. */
export async function bothPeriods<T>(span: Span, ask: (span: Span) => Promise<T>) {
  const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
  return { now, before, span }
}

/** Counts the records that `asked` names, over time. */
export function countsOf(look: Look, asked: () => URLSearchParams) {
  const { page, range, dashboard } = look
  return new Load(page, {
    args: () =>
      [asked().toString(), range.span.from, range.span.to, look.interval, look.timeZone] as const,
    run: async ([filters, from, to, interval, timeZone], signal) => {
      const params = new URLSearchParams(filters)
      const both = await bothPeriods({ from, to }, async (span) =>
        readCounts(
          await dashboard.api.read(countsPath(params, span, { interval, timeZone }), signal)
        )
      )
      return { ...both, interval }
    }
  })
}
