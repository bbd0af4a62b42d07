// Reads a rule from outside: its shape by schema, its names against the registry.
import { Compile } from '@keelson/sdk/typebox'
import type { Bucket } from '../contracts/telemetry-registry.ts'
import { breakdownField } from '../queries/breakdown.ts'
import { findFamily, requireDistinctFamily, requireMilestoneFamily } from '../queries/families.ts'
import { readMeasure } from '../queries/measure.ts'
import { metricGrouping } from '../queries/metric-series.ts'
import { QueryError } from '../queries/types.ts'
import type { Registry } from '../registry/types.ts'
import { type AlertRuleSpec, type AlertSignal, ruleSchema } from '../schemas/alerts.ts'
import { isAllowedWebhook } from './allowed-webhook.ts'
import { AlertError } from './types.ts'

const compiled = Compile(ruleSchema)

/** Minutes of a bucket; of the longest month. */
export const BUCKET_MINUTES = { hour: 60, day: 1440, week: 10_080, month: 44_640 } as const

/** @throws AlertError 400 naming what is wrong. */
export function readRule(
  given: unknown,
  registry: Registry,
  webhookHosts: readonly string[]
): AlertRuleSpec {
  if (!compiled.Check(given)) throw new AlertError(400, `invalid rule: ${problemOf(given)}`)
  const rule = structuredClone(given)
  try {
    checkNames(rule, registry)
  } catch (error) {
    if (error instanceof QueryError) throw new AlertError(400, error.message)
    throw error
  }
  const url = rule.deliver?.webhook?.url
  if (url !== undefined && !isAllowedWebhook(url, webhookHosts)) {
    throw new AlertError(
      400,
      'deliver.webhook.url must be https, on a host of the setting alerts.webhookHosts'
    )
  }
  return rule
}

function problemOf(given: unknown): string {
  const first = [...compiled.Errors(given)].at(0)
  const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return `${path === '' ? 'it' : path} ${first?.message ?? 'is not one'}`
}

function checkNames({ signal, windowMinutes }: AlertRuleSpec, registry: Registry): void {
  switch (signal.source) {
    case 'series':
      readMeasure(signal.measure)
      if (signal.by !== undefined) breakdownField(signal.by)
      return
    case 'metric':
      metricGrouping(signal.by)
      return
    case 'rollup':
      if (!['count', 'sum'].includes(readMeasure(signal.measure).op)) {
        throw new QueryError('measure of a rollup must be count or sum:<metric>')
      }
      checkWindow(signal.as, findFamily(registry, signal.as).bucket, windowMinutes)
      return
    case 'distinct':
      checkWindow(signal.as, requireDistinctFamily(registry, signal.as).bucket, windowMinutes)
      return
    case 'funnel':
      for (const stage of signal.stages) requireMilestoneFamily(registry, stage)
      if (signal.stage !== undefined && !signal.stages.includes(signal.stage)) {
        throw new QueryError('signal.stage must be one of signal.stages')
      }
  }
}

function checkWindow(as: string, bucket: Bucket | undefined, windowMinutes: number): void {
  if (bucket === undefined) {
    throw new QueryError(`rollup family "${as}" has no bucket; an alert needs one with a bucket`)
  }
  if (windowMinutes < BUCKET_MINUTES[bucket]) {
    throw new QueryError(
      `windowMinutes must be at least ${BUCKET_MINUTES[bucket]}: rollup family "${as}" counts by ${bucket}`
    )
  }
}

/** The bucket of the family that a signal reads; undefined for those that are not bucketed. */
export function bucketOf(signal: AlertSignal, registry: Registry): Bucket | undefined {
  if (signal.source !== 'rollup' && signal.source !== 'distinct') return undefined
  return findFamily(registry, signal.as).bucket
}
