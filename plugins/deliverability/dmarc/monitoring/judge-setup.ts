// The line of DMARC on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import { hintOf, joinSentences } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { say } from './sentences.ts'

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
    const found = joinSentences([
      ...(records.length > 0 ? [say('dmarc.setup.records', { count: records.length })] : []),
      ...(alerts.length > 0 ? [say('dmarc.setup.alerts', { count: alerts.length })] : [])
    ])
    const hint = hintOf(say(records.length > 0 ? 'dmarc.setup.publish' : 'dmarc.setup.look'))
    return { severity: isGrave ? 'error' : 'warn', ...found, ...hint, items }
  }
  if (report === null) {
    return {
      severity: 'warn',
      ...say('dmarc.setup.none'),
      ...hintOf(say('dmarc.setup.ask'))
    }
  }
  return { severity: 'ok', ...say('dmarc.setup.last', { at: report.receivedAt.toISOString() }) }
}
