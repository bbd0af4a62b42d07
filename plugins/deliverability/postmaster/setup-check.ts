// The line of Postmaster on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import { defineSentences, hintOf } from '@keelson/sdk'
import type { PostmasterReport } from './operations/report.ts'

/** By code; pages have the same in other languages. */
export const postmasterSetupSentences = {
  'postmaster.off': 'Gmail Postmaster Tools is not configured.',
  'postmaster.set': 'Set clientId, clientSecret and refreshToken in the config of postmaster.',
  'postmaster.fine': 'Gmail reports no problem of {count} domains.',
  'postmaster.unmet': "Gmail's requirement {requirement} is not met for {domain}."
} as const

const say = defineSentences(postmasterSetupSentences)
const SEVERITY = { ok: 'ok', warn: 'warn', trip: 'error' } as const

/** Judges what was stored. Pure. `canTrip`: there is a circuit breaker. */
export function judgeSetup(report: PostmasterReport, canTrip: boolean): SetupResult {
  if (!report.configured) {
    return { severity: 'ok', ...say('postmaster.off'), ...hintOf(say('postmaster.set')) }
  }
  const items = report.domains.flatMap((domain) => itemsOf(domain))
  const worst = items.find(({ severity }) => severity === 'error') ?? items[0]
  if (worst === undefined) {
    return { severity: 'ok', ...say('postmaster.fine', { count: report.domains.length }) }
  }
  const stops = canTrip
    ? 'Marketing mail of the domain stops. Find out what is reported, then resume it in Health.'
    : 'Turn on circuit-breaker, which stops marketing mail of such a domain.'
  return {
    severity: worst.severity,
    message: `${worst.label}: ${worst.message}`,
    ...(worst.said && { said: worst.said }),
    ...(worst.severity === 'error' && { hint: stops }),
    items
  }
}

function itemsOf(domain: PostmasterReport['domains'][number]): readonly SetupItem[] {
  const label = domain.domain
  const items: SetupItem[] = []
  if (domain.level !== 'ok') {
    items.push({
      label,
      severity: SEVERITY[domain.level],
      message: domain.message,
      ...(domain.said && { said: domain.said })
    })
  }
  if (domain.errorMessage !== null) {
    items.push({ label, severity: 'warn', message: domain.errorMessage })
  }
  for (const { requirement, status, reason } of domain.compliance) {
    if (status !== 'NEEDS_WORK') continue
    const because = reason === null ? '' : ` (${reason})`
    const message = `Gmail's requirement ${requirement} is not met${because}.`
    const { said } = say('postmaster.unmet', { requirement, domain: label })
    items.push({ label, severity: 'warn', message, said })
  }
  return items
}
