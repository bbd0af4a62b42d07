// The pages that may be shared with people without an account, and what each reads.
import type { SharedPage } from '@keelson/sdk/contracts/embed-grants'

const scope = 'telemetry:read'

/** Ids of operations by their last parts. */
const reads = (...names: readonly string[]) => names.map((name) => `telemetry-dashboard.${name}`)

/** Saved views belong to people: a shared page has none. */
export const sharedPages: readonly SharedPage[] = [
  {
    page: 'events',
    title: 'Events',
    scope,
    operations: reads(
      'registry.read',
      'records.list',
      'series.read',
      'distribution.read',
      'activity.read',
      'distinct.read',
      'breakdowns.read',
      'durations.read',
      'subjects.describe'
    )
  },
  // One chart, as its share says: of these records, by this measure.
  {
    page: 'chart',
    title: 'One chart',
    scope,
    operations: reads('series.read'),
    varies: ['from', 'to', 'interval', 'timeZone']
  },
  {
    page: 'overview',
    title: 'Overview',
    scope,
    operations: reads(
      'registry.read',
      'activity.read',
      'series.read',
      'distribution.read',
      'rollups.list',
      'rollups.total',
      'records.list',
      'issues.list',
      'subjects.describe'
    )
  }
]
