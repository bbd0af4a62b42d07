// What the Traces page asks for, besides the spans: their durations.
import { Load } from '@keelson/ui'
import { bothPeriods } from '../counts.ts'
import type { Look } from '../look.ts'
import { distributionPath } from '../requests.ts'
import type { Bar } from './histogram.ts'

interface Distribution {
  readonly n: number
  readonly truncated: boolean
  readonly histogram: readonly Bar[]
  readonly p50?: number
  readonly p95?: number
  readonly p99?: number
  readonly max?: number
}

/** The durations of the spans that `asked` names. */
export function durationsOf({ page, range, dashboard }: Look, asked: () => URLSearchParams) {
  return new Load(page, {
    args: () => [asked().toString(), range.span.from, range.span.to] as const,
    run: ([filters, from, to], signal) => {
      const params = new URLSearchParams(filters)
      return bothPeriods({ from, to }, (span) =>
        dashboard.api.read<Distribution>(distributionPath(params, span, 'durationMs'), signal)
      )
    }
  })
}
