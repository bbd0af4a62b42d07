// The kernel plugin: computes the report in a job and serves it in the mailer's admin API.

import { mailerAdminApi, mailerCore } from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import { configSchema, type HygieneSettings } from './config.ts'
import type { ContactRow } from './counts/contact-row.ts'
import { hygieneOperations } from './operations/hygiene-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { computeListHygiene } from './report/compute-list-hygiene.ts'
import type { FeedRow, HygieneContext, ReportRow, WalkRow } from './rows.ts'

function register(host: Host, settings: HygieneSettings): void {
  const contacts = host.collection<ContactRow>('list_hygiene_contacts')
  const feed = host.collection<FeedRow>('list_hygiene_state')
  const walk = host.collection<WalkRow>('list_hygiene_state')
  const reports = host.collection<ReportRow>('list_hygiene_state')
  const open = (): HygieneContext => ({
    contacts,
    feed,
    walk,
    reports,
    withTransaction: (fn) => host.withTransaction(fn),
    lease: host.lease,
    mailer: host.use(mailerCore),
    clock: host.clock,
    settings
  })
  host.serve(hygieneOperations, { open })
  host.extend(mailerAdminApi, {
    name: 'list-hygiene',
    operations: bindOperations(hygieneOperations, { open })
  })
  host.job('refresh', async ({ signal }) => {
    await computeListHygiene(open(), signal)
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: hygieneOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
