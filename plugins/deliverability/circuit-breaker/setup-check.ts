// The circuit breaker on the mailer's setup list. Pure.
import type { SetupItem, SetupResult, SetupSeverity } from '@keelson/mailer/contracts'
import { hintOf } from '@keelson/sdk'
import type { BucketReport, HealthReport } from './buckets/health-report.ts'
import { say } from './buckets/sentences.ts'

const RESUME = 'Find the cause in the bounces and complaints, then resume on the page Health.'
const WATCH = 'Check where these addresses came from before you send more.'
const DEGRADED = 'Look at the errors of the failed mails: the provider may refuse them or be down.'

/** One line with an item for each bucket that needs attention. */
export function judgeSetup({ status, buckets }: HealthReport): SetupResult {
  if (status === null)
    return {
      severity: 'warn',
      ...say('breaker.setup.never'),
      ...hintOf(say('breaker.setup.worker'))
    }
  const items = buckets.flatMap(itemOf)
  const tripped = buckets.filter((bucket) => bucket.status === 'tripped').length
  if (items.length === 0) return { severity: 'ok', ...say('breaker.setup.fine') }
  const severity: SetupSeverity = tripped > 0 ? 'error' : 'warn'
  const all = buckets.length
  const found =
    tripped > 0
      ? say('breaker.setup.tripped', { tripped, all })
      : say('breaker.setup.care', { count: items.length, all })
  return { severity, ...found, hint: tripped > 0 ? RESUME : WATCH, items }
}

function itemOf({ senderDomain, kind, status, ...bucket }: BucketReport): SetupItem[] {
  const label = `${senderDomain ?? 'Without a domain'}, ${kind}`
  if (status === 'tripped') {
    const message = `Tripped: ${bucket.trippedReason}`
    return [{ label, severity: 'error', message, hint: RESUME }]
  }
  if (bucket.warning !== null) {
    return [{ label, severity: 'warn', message: bucket.warning, hint: WATCH }]
  }
  if (status !== 'degraded') return []
  const message = 'Too many mails could not be handed over.'
  return [{ label, severity: 'warn', message, hint: DEGRADED }]
}
