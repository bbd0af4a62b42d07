// What the API answers, as the page receives it.

import type { Static } from '@keelson/sdk'
import type { AsJson } from '@keelson/ui'
import type { monitoringAnswer } from '../../operations/monitoring-answers.ts'
import type {
  failuresSchema,
  overviewSchema,
  tlsReportsSchema
} from '../../operations/report-answers.ts'

export type Overview = AsJson<Static<typeof overviewSchema>>
export type Domain = Overview['domains'][number]
export type Source = Overview['sources'][number]
export type Report = Overview['recentReports'][number]
export type Monitoring = AsJson<Static<typeof monitoringAnswer>>
export type Alert = Monitoring['alerts'][number]
export type DnsCheck = Monitoring['dnsChecks'][number]
type Failures = AsJson<Static<typeof failuresSchema>>
type TlsReports = AsJson<Static<typeof tlsReportsSchema>>
export type Failure = Failures['failures'][number]
export type TlsReport = TlsReports['reports'][number]
/** Reports about single mails, and about TLS. */
export type Feedback = Failures & TlsReports
/** Where the API is: of plugin.json. */
export const API = { at: '/admin/mailer/api/dmarc' } as const
