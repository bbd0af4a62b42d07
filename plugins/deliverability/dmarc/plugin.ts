// The plugin: what it registers.

import {
  mailerAdminApi,
  mailerCore,
  mailerSenderFacts,
  mailerSetupCheck
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host, type MigrationHost } from '@keelson/sdk'
import { showInAssistants } from './assistants/show-domains.ts'
import { configSchema, type DmarcConfig } from './config/schema.ts'
import type { DmarcContext } from './context.ts'
import { mailerDmarcHook } from './contracts.ts'
import { errors } from './errors.ts'
import { serveInbound } from './inbound/inbound-route.ts'
import { markReports } from './ingest/mark-reports.ts'
import { pruneDmarcFailures, sweepIngests } from './ingest/remove-records.ts'
import { lookUpSources } from './jobs/look-up-sources.ts'
import { checkDns } from './monitoring/check-dns.ts'
import { deliverAlerts } from './monitoring/deliver-alerts.ts'
import { readServers } from './monitoring/dns-servers.ts'
import { evaluateAlerts, MONITORING } from './monitoring/evaluate-alerts.ts'
import { judgeSetup } from './monitoring/judge-setup.ts'
import { dmarcOperations } from './operations/dmarc-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { judgeReadinessSetup, readReadiness } from './readiness/read-readiness.ts'
import { createReader } from './reading/reader.ts'
import { type KnownSource, sourceKey } from './sources/source-tags.ts'
import { openCollections } from './storage/collections.ts'

function register(host: Host, config: DmarcConfig): void {
  const reader = createReader()
  host.onClose(() => reader.close())
  const context: DmarcContext = {
    config,
    collections: openCollections(host),
    clock: host.clock,
    reader,
    knownSources: config.knownSources.map(readKnown),
    withTransaction: host.withTransaction
  }
  const mailer = host.use(mailerCore)
  const servers = readServers(config.dnsServers)
  const factsSources = () => host.contributions(mailerSenderFacts)
  const hooks = () => host.contributions(mailerDmarcHook)
  const watch = {
    ...context,
    mailer,
    servers,
    factsSources,
    hooks,
    fetch: host.fetchPublic,
    notify: host.notify
  }
  host.serve(dmarcOperations, watch)
  host.extend(mailerAdminApi, {
    name: 'dmarc',
    operations: bindOperations(dmarcOperations, watch)
  })
  host.extend(mailerSetupCheck, {
    name: 'dmarc',
    label: 'DMARC',
    run: () => judgeSetup(context)
  })
  host.extend(mailerSetupCheck, {
    name: 'sender_readiness',
    label: 'Sender readiness',
    run: async () => judgeReadinessSetup(await readReadiness(watch))
  })
  showInAssistants(host, watch)
  serveInbound(host, context, mailer)
  host.job('sweep-ingests', async ({ signal }) => void (await sweepIngests(context, signal)))
  host.job('prune-records', async ({ signal }) => void (await pruneDmarcFailures(context, signal)))
  host.job('reverse-names', ({ signal }) => lookUpSources(context, servers, signal))
  host.job('check-dns', async ({ signal }) => void (await checkDns(watch, signal)))
  host.job('evaluate-alerts', async () => void (await evaluateAlerts(context, mailer)))
  host.job(
    'deliver-alerts',
    async ({ signal }) =>
      void (await deliverAlerts({ ...watch, mailer: mailer.as(MONITORING) }, signal))
  )
}

function readKnown(given: DmarcConfig['knownSources'][number], index: number): KnownSource {
  const ip = sourceKey(given.ip)
  if (ip === undefined) throw errors.DMR_KNOWN_SOURCE({ path: `knownSources[${index}].ip` })
  return { ip, label: given.label, ignored: given.ignored ?? false }
}

const migrations = {
  'source-sums': async (host: MigrationHost) => {
    const marked = await markReports(openCollections(host))
    host.log.info({ marked }, 'reports wait to be summed up by source')
  }
}

export default definePlugin({
  manifest,
  config: configSchema,
  migrations,
  operations: dmarcOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
