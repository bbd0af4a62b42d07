// The line of DMARC on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import type { DmarcContext } from '../context.ts'

const MOST_DOMAINS = 100
const MOST_ALERTS = 100

/** From what jobs stored: nothing is asked. */
export async function judgeSetup({
  collections
}: Pick<DmarcContext, 'collections'>): Promise<SetupResult> {
  const [checks, report, latest] = await Promise.all([
    collections.dnsChecks.find().limit(MOST_DOMAINS).toArray(),
    collections.reports.findOne({}, { sort: { receivedAt: -1, _id: -1 } }),
    collections.alerts.find().sort({ updatedAt: -1 }).limit(MOST_ALERTS).toArray()
  ])
  const alerts = latest
    .filter(({ state }) => state === 'open')
    .map(({ domain, severity, message }): SetupItem => {
      return { label: domain, severity: severity === 'critical' ? 'error' : 'warn', message }
    })
  const records = checks.flatMap(({ _id, findings }) =>
    findings
      .filter(({ severity }) => severity !== 'info')
      .map(({ severity, message, fix }): SetupItem => {
        const hint = fix && { hint: `Publish ${fix.type} ${fix.name}: ${fix.value}` }
        return { label: _id, severity: severity === 'error' ? 'error' : 'warn', message, ...hint }
      })
  )
  const items = [...records, ...alerts]
  if (items.length > 0) {
    const isGrave = items.some(({ severity }) => severity === 'error')
    const message = [
      ...(records.length > 0 ? [`DNS records need attention: ${records.length} findings.`] : []),
      ...(alerts.length > 0 ? [`Open alerts: ${alerts.length}.`] : [])
    ].join(' ')
    const hint =
      records.length > 0
        ? 'Publish the records that the DMARC page names, then check again.'
        : 'Look at the alerts on the DMARC page.'
    return { severity: isGrave ? 'error' : 'warn', message, hint, items }
  }
  if (report === null) {
    const hint = 'Publish a DMARC record with rua, or upload a report.'
    return { severity: 'warn', message: 'No DMARC report arrived yet.', hint }
  }
  const day = report.receivedAt.toISOString().slice(0, 10)
  return { severity: 'ok', message: `The last DMARC report arrived on ${day}.` }
}
