// What the API answers, as the page receives it.

import type { Static } from '@keelson/sdk'
import type { AsJson } from '@keelson/ui'
import type { monitoringAnswer } from '../../routes/monitoring-schemas.ts'
import type { overviewSchema } from '../../routes/schemas.ts'

export type Overview = AsJson<Static<typeof overviewSchema>>
export type Domain = Overview['domains'][number]
export type Source = Overview['sources'][number]
export type Report = Overview['recentReports'][number]
export type Monitoring = AsJson<Static<typeof monitoringAnswer>>
export type Alert = Monitoring['alerts'][number]
export type DnsCheck = Monitoring['dnsChecks'][number]
/** The admin API, from the mount of the plugin. */
export const BASE = '/../admin/mailer/api'
