// The kernel plugin: a job that pulls, routes and a setup check in the mailer.
import { definePlugin, type Host } from '@keelson/sdk'
import { mailerAdminApi } from '@keelson/sdk/contracts/mailer-admin-api'
import { mailerBreaker } from '@keelson/sdk/contracts/mailer-breaker'
import { mailerCore } from '@keelson/sdk/contracts/mailer-core'
import { mailerSenderFacts } from '@keelson/sdk/contracts/mailer-sender-facts'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import { createPostmasterClient } from './api/postmaster-client.ts'
import { configSchema, credentialsOf, type PostmasterConfig } from './config.ts'
import manifest from './plugin.json' with { type: 'json' }
import { runPostmasterPull } from './pull/run-pull.ts'
import { type OpenContext, postmasterRoutes } from './routes/postmaster-routes.ts'
import { readReport } from './routes/report.ts'
import { gmailFacts } from './sender-facts.ts'
import { judgeSetup } from './setup-check.ts'
import type { DomainRow, SnapshotRow, Stored } from './storage/rows.ts'

function register(host: Host, config: PostmasterConfig): void {
  const credentials = credentialsOf(config)
  const client = credentials && createPostmasterClient(host.fetch, credentials)
  const stored: Stored = {
    snapshots: host.collection<SnapshotRow>('postmaster_snapshots'),
    domains: host.collection<DomainRow>('postmaster_domains')
  }
  const open: OpenContext = (mailer, now, signal) => ({
    config,
    stored,
    client,
    mailer,
    breaker: host.use(mailerBreaker, { optional: true }),
    log: host.log,
    now,
    signal
  })
  host.extend(mailerAdminApi, { name: 'postmaster', routes: postmasterRoutes(open) })
  host.extend(mailerSetupCheck, {
    name: 'postmaster',
    label: 'Gmail Postmaster Tools',
    async run({ mailer, now, signal }) {
      const context = open(mailer, now, signal)
      return judgeSetup(await readReport(context), context.breaker !== undefined)
    }
  })
  host.extend(mailerSenderFacts, {
    name: 'postmaster',
    async read(domains, now) {
      const mailer = host.use(mailerCore, { optional: true })
      if (mailer === undefined) return []
      return gmailFacts(await readReport(open(mailer, now, host.signal)), domains)
    }
  })
  host.job('pull', async ({ signal, log }) => {
    const mailer = host.use(mailerCore, { optional: true })
    if (mailer === undefined || client === undefined) return
    const pull = await runPostmasterPull(open(mailer, host.clock.now(), signal))
    if (pull.ran) log.info(pull, 'Postmaster Tools was read')
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
