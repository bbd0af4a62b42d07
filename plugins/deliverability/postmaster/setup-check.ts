// The line of Postmaster on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import type { PostmasterReport } from './operations/report.ts'

const SEVERITY = { ok: 'ok', warn: 'warn', trip: 'error' } as const

/** Judges what was stored. Pure. `canTrip`: there is a circuit breaker. */
export function judgeSetup(report: PostmasterReport, canTrip: boolean): SetupResult {
  if (!report.configured) {
    const hint = 'Set clientId, clientSecret and refreshToken in the config of postmaster.'
    return { severity: 'ok', message: 'Gmail Postmaster Tools is not configured.', hint }
  }
  const items = report.domains.flatMap((domain) => itemsOf(domain))
  const worst = items.find(({ severity }) => severity === 'error') ?? items[0]
  if (worst === undefined) {
    return {
      severity: 'ok',
      message: `Gmail reports no problem of ${report.domains.length} domains.`
    }
  }
  const stops = canTrip
    ? 'Marketing mail of the domain stops. Find out what is reported, then resume it in Health.'
    : 'Turn on circuit-breaker, which stops marketing mail of such a domain.'
  return {
    severity: worst.severity,
    message: `${worst.label}: ${worst.message}`,
    ...(worst.severity === 'error' && { hint: stops }),
    items
  }
}

function itemsOf(domain: PostmasterReport['domains'][number]): readonly SetupItem[] {
  const label = domain.domain
  const items: SetupItem[] = []
  if (domain.level !== 'ok') {
    items.push({ label, severity: SEVERITY[domain.level], message: domain.message })
  }
  if (domain.errorMessage !== null) {
    items.push({ label, severity: 'warn', message: domain.errorMessage })
  }
  for (const { requirement, status, reason } of domain.compliance) {
    if (status !== 'NEEDS_WORK') continue
    const because = reason === null ? '' : ` (${reason})`
    const message = `Gmail's requirement ${requirement} is not met${because}.`
    items.push({ label, severity: 'warn', message })
  }
  return items
}
