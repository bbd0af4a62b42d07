// The kernel plugin: a job that checks, routes and a setup check in the mailer.
import { definePlugin, type Host } from '@keelson/sdk'
import { mailerAdminApi } from '@keelson/sdk/contracts/mailer-admin-api'
import { type MailerCore, mailerCore } from '@keelson/sdk/contracts/mailer-core'
import { mailerSenderFacts } from '@keelson/sdk/contracts/mailer-sender-facts'
import { mailerSetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import type { DnsblContext } from './checks/dnsbl-context.ts'
import { runDnsblChecks } from './checks/run-checks.ts'
import { type BlockListsConfig, configSchema, readSettings } from './config.ts'
import { createLookup } from './lookups/dns-lookup.ts'
import manifest from './plugin.json' with { type: 'json' }
import { dnsblRoutes } from './routes/dnsbl-routes.ts'
import { readReport } from './routes/report.ts'
import { judgeSetup } from './setup-check.ts'
import type { ChangeRow, CheckRow, ListRow, Stored } from './storage/rows.ts'

function register(host: Host, config: BlockListsConfig): void {
  const settings = readSettings(config)
  const stored: Stored = {
    checks: host.collection<CheckRow>('block_lists_checks'),
    changes: host.collection<ChangeRow>('block_lists_changes'),
    lists: host.collection<ListRow>('block_lists_lists')
  }
  const open = (mailer: MailerCore, now: Date, signal: AbortSignal): DnsblContext => ({
    settings,
    stored,
    mailer,
    lookup: createLookup({ servers: settings.dnsServers, signal }),
    now,
    signal
  })
  host.extend(mailerAdminApi, {
    name: 'block-lists',
    routes: dnsblRoutes({ settings, stored, open })
  })
  host.extend(mailerSetupCheck, {
    name: 'dnsbl',
    label: 'Block lists',
    run: async ({ mailer }) => judgeSetup(await readReport({ settings, stored, mailer }))
  })
  host.extend(mailerSenderFacts, {
    name: 'block-lists',
    read: async (domains) =>
      settings.dedicatedIps.length === 0
        ? []
        : domains.map((domain) => ({ domain, sendingIps: settings.dedicatedIps }))
  })
  host.job('check', async ({ signal, log }) => {
    const mailer = host.use(mailerCore, { optional: true })
    if (mailer === undefined) return
    const run = await runDnsblChecks(open(mailer, host.clock.now(), signal))
    if (run.ran) log.info(run, 'block lists were asked')
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
