// The line of SNDS on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import { defineSentences, hintOf } from '@keelson/sdk'
import type { SndsReport } from './operations/report.ts'

const FRESH_MS = 14 * 86_400_000

/** By code; pages have the same in other languages. */
export const sndsSentences = {
  'snds.off': 'Outlook SNDS is not configured.',
  'snds.set': 'If you send from your own addresses, set accessKey in the config of snds.',
  'snds.fine': 'Outlook reports no problem of {count} addresses.',
  'snds.blocked': 'Outlook blocks {address}.',
  'snds.red': 'Outlook filters more than 90% of the mail from {address} as spam.',
  'snds.yellow': 'Outlook filters 10 to 90% of the mail from {address} as spam.'
} as const

const say = defineSentences(sndsSentences)
const HINT = 'Look at complaints and trap hits in SNDS, and mail only people who asked for it.'

/** Judges what was stored. Pure. */
export function judgeSetup(report: SndsReport, now: Date): SetupResult {
  if (!report.configured) {
    return { severity: 'ok', ...say('snds.off'), ...hintOf(say('snds.set')) }
  }
  const items = [...report.ranges.flatMap(rangeItem), ...report.ips.flatMap(addressItem(now))]
  if (report.errorMessage !== null) {
    items.push({ label: 'SNDS', severity: 'warn', message: report.errorMessage })
  }
  const worst = items.find(({ severity }) => severity === 'error') ?? items[0]
  if (worst === undefined) {
    return { severity: 'ok', ...say('snds.fine', { count: report.ips.length }) }
  }
  return {
    severity: worst.severity,
    message: `${worst.label}: ${worst.message}`,
    ...(worst.said && { said: worst.said }),
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
  const { said } = say('snds.blocked', { address: label })
  return [{ label, severity: 'error', message, said }]
}

const addressItem =
  (now: Date) =>
  ({ ip, latest }: SndsReport['ips'][number]): readonly SetupItem[] => {
    if (now.getTime() - Date.parse(latest.activityEnd) > FRESH_MS) return []
    if (latest.filterResult === 'RED') {
      const { said } = say('snds.red', { address: ip })
      return [
        { label: ip, severity: 'error', message: 'Outlook filters more than 90% as spam.', said }
      ]
    }
    if (latest.filterResult !== 'YELLOW') return []
    const { said } = say('snds.yellow', { address: ip })
    return [{ label: ip, severity: 'warn', message: 'Outlook filters 10 to 90% as spam.', said }]
  }
