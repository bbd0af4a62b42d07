// The kernel plugin: a job that checks, routes and a setup check in the mailer.

import {
  mailerAdminApi,
  mailerCore,
  mailerSenderFacts,
  mailerSetupCheck
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import type { DnsblContext } from './checks/dnsbl-context.ts'
import { runDnsblChecks } from './checks/run-checks.ts'
import { type BlockListsConfig, configSchema, readSettings } from './config.ts'
import { createLookup } from './lookups/dns-lookup.ts'
import { type DnsblHost, dnsblOperations } from './operations/dnsbl-operations.ts'
import { readReport } from './operations/report.ts'
import manifest from './plugin.json' with { type: 'json' }
import { judgeSetup } from './setup-check.ts'
import type { ChangeRow, CheckRow, ListRow, Stored } from './storage/rows.ts'

function register(host: Host, config: BlockListsConfig): void {
  const settings = readSettings(config)
  const stored: Stored = {
    checks: host.collection<CheckRow>('block_lists_checks'),
    changes: host.collection<ChangeRow>('block_lists_changes'),
    lists: host.collection<ListRow>('block_lists_lists')
  }
  const mailer = () => host.use(mailerCore)
  const open = (signal: AbortSignal): DnsblContext => ({
    settings,
    stored,
    mailer: mailer(),
    lookup: createLookup({ servers: settings.dnsServers, signal }),
    now: host.clock.now(),
    signal
  })
  const services: DnsblHost = { settings, stored, mailer, open }
  host.serve(dnsblOperations, services)
  host.extend(mailerAdminApi, {
    name: 'block-lists',
    operations: bindOperations(dnsblOperations, services)
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
    if (host.use(mailerCore, { optional: true }) === undefined) return
    const run = await runDnsblChecks(open(signal))
    if (run.ran) log.info(run, 'block lists were asked')
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: dnsblOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
