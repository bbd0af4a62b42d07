// The line of DMARC on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import type { DmarcContext } from '../context.ts'

const MOST_DOMAINS = 100

/** From what jobs stored: nothing is asked. */
export async function judgeSetup({
  collections
}: Pick<DmarcContext, 'collections'>): Promise<SetupResult> {
  const [checks, report] = await Promise.all([
    collections.dnsChecks.find().limit(MOST_DOMAINS).toArray(),
    collections.reports.findOne({}, { sort: { receivedAt: -1, _id: -1 } })
  ])
  const items = checks.flatMap(({ _id, findings }) =>
    findings
      .filter(({ severity }) => severity !== 'info')
      .map(({ severity, message, fix }): SetupItem => {
        const hint = fix && { hint: `Publish ${fix.type} ${fix.name}: ${fix.value}` }
        return { label: _id, severity: severity === 'error' ? 'error' : 'warn', message, ...hint }
      })
  )
  if (items.length > 0) {
    const isGrave = items.some(({ severity }) => severity === 'error')
    const message = `DNS records need attention: ${items.length} findings.`
    const hint = 'Publish the records that the DMARC page names, then check again.'
    return { severity: isGrave ? 'error' : 'warn', message, hint, items }
  }
  if (report === null) {
    const hint = 'Publish a DMARC record with rua, or upload a report.'
    return { severity: 'warn', message: 'No DMARC report arrived yet.', hint }
  }
  const day = report.receivedAt.toISOString().slice(0, 10)
  return { severity: 'ok', message: `The last DMARC report arrived on ${day}.` }
}
