// The kernel plugin: a job that pulls, operations and a setup check in the mailer.

import {
  type MailerCore,
  mailerAdminApi,
  mailerBreaker,
  mailerCore,
  mailerSenderFacts,
  mailerSetupCheck
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import { createPostmasterClient } from './api/postmaster-client.ts'
import { accessOf, configSchema, type PostmasterConfig } from './config.ts'
import { type PostmasterHost, postmasterOperations } from './operations/postmaster-operations.ts'
import { readReport } from './operations/report.ts'
import manifest from './plugin.json' with { type: 'json' }
import { type PostmasterContext, runPostmasterPull } from './pull/run-pull.ts'
import { gmailFacts } from './sender-facts.ts'
import { judgeSetup } from './setup-check.ts'
import type { DomainRow, SnapshotRow, Stored } from './storage/rows.ts'

function register(host: Host, config: PostmasterConfig): void {
  const access = accessOf(config)
  const client = access && createPostmasterClient(host.fetch, access)
  const stored: Stored = {
    snapshots: host.collection<SnapshotRow>('postmaster_snapshots'),
    domains: host.collection<DomainRow>('postmaster_domains')
  }
  const open = (mailer: MailerCore, now: Date, signal: AbortSignal): PostmasterContext => ({
    config,
    stored,
    client,
    mailer,
    breaker: host.use(mailerBreaker, { optional: true }),
    log: host.log,
    now,
    signal
  })
  const mailer = () => host.use(mailerCore)
  const services: PostmasterHost = {
    mailer,
    open: (signal) => open(mailer(), host.clock.now(), signal)
  }
  host.serve(postmasterOperations, services)
  host.extend(mailerAdminApi, {
    name: 'postmaster',
    operations: bindOperations(postmasterOperations, services)
  })
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
  operations: postmasterOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
