// The line of SNDS on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import type { SndsReport } from './operations/report.ts'

const FRESH_MS = 14 * 86_400_000
const HINT = 'Look at complaints and trap hits in SNDS, and mail only people who asked for it.'

/** Judges what was stored. Pure. */
export function judgeSetup(report: SndsReport, now: Date): SetupResult {
  if (!report.configured) {
    const hint = 'If you send from your own addresses, set accessKey in the config of snds.'
    return { severity: 'ok', message: 'Outlook SNDS is not configured.', hint }
  }
  const items = [...report.ranges.flatMap(rangeItem), ...report.ips.flatMap(addressItem(now))]
  if (report.errorMessage !== null) {
    items.push({ label: 'SNDS', severity: 'warn', message: report.errorMessage })
  }
  const worst = items.find(({ severity }) => severity === 'error') ?? items[0]
  if (worst === undefined) {
    return {
      severity: 'ok',
      message: `Outlook reports no problem of ${report.ips.length} addresses.`
    }
  }
  return {
    severity: worst.severity,
    message: `${worst.label}: ${worst.message}`,
    hint: HINT,
    items
  }
}

function rangeItem({
  firstIp,
  lastIp,
  isBlocked,
  reason
}: SndsReport['ranges'][number]): readonly SetupItem[] {
  if (!isBlocked) return []
  const label = firstIp === lastIp ? firstIp : `${firstIp} to ${lastIp}`
  const message = reason === null ? 'Outlook blocks it.' : `Outlook blocks it: ${reason}`
  return [{ label, severity: 'error', message }]
}

const addressItem =
  (now: Date) =>
  ({ ip, latest }: SndsReport['ips'][number]): readonly SetupItem[] => {
    if (now.getTime() - Date.parse(latest.activityEnd) > FRESH_MS) return []
    if (latest.filterResult === 'RED') {
      return [{ label: ip, severity: 'error', message: 'Outlook filters more than 90 % as spam.' }]
    }
    if (latest.filterResult !== 'YELLOW') return []
    return [{ label: ip, severity: 'warn', message: 'Outlook filters 10 to 90 % as spam.' }]
  }
