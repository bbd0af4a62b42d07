// The public entry of @keelson/circuit-breaker.
export type { BreakerContext } from './breaker-context.ts'
export type { BucketKey, BucketRow, BucketStatus } from './buckets/bucket-row.ts'
export { countOutcomes, recordHealthCounter } from './buckets/count-outcomes.ts'
export {
  type AggregateReport,
  type BucketReport,
  getBucketStatus,
  type HealthReport,
  readHealth
} from './buckets/health-report.ts'
export { effectiveOverallStatus, type Rates } from './buckets/judge-bucket.ts'
export type { Counter, Counters } from './buckets/window.ts'
export type { ChangeRow } from './changes/change-row.ts'
export { type Evaluation, evaluateHealth } from './changes/evaluate-health.ts'
export type { BreakerSettings } from './config.ts'
export { default } from './plugin.ts'
