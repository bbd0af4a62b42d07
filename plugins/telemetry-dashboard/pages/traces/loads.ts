// What the Traces page asks for, besides the spans: their durations.
import type { DistributionResult } from '@keelson/telemetry'
import { type AsJson, Load } from '@keelson/ui'
import { bothPeriods } from '../counts.ts'
import type { Look } from '../look.ts'
import { distributionPath } from '../requests.ts'

type Distribution = AsJson<DistributionResult>

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
