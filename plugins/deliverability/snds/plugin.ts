// The kernel plugin: a job that pulls, operations and a setup check in the mailer.

import { mailerAdminApi, mailerCore, mailerSetupCheck } from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import { configSchema, type SndsConfig } from './config.ts'
import { createSndsClient } from './feeds/snds-client.ts'
import { readReport } from './operations/report.ts'
import { type SndsHost, sndsOperations } from './operations/snds-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { runSndsPull } from './pull/run-pull.ts'
import { judgeSetup } from './setup-check.ts'
import type { AddressRow, PullRow, RangeRow, SnapshotRow, Stored } from './storage/rows.ts'

function register(host: Host, config: SndsConfig): void {
  const client = createSndsClient(host.fetch, config)
  const stored: Stored = {
    snapshots: host.collection<SnapshotRow>('snds_snapshots'),
    addresses: host.collection<AddressRow>('snds_addresses'),
    ranges: host.collection<RangeRow>('snds_ranges'),
    pulls: host.collection<PullRow>('snds_pulls')
  }
  const services: SndsHost = {
    mailer: () => host.use(mailerCore),
    open: (signal) => ({ config, stored, client, now: host.clock.now(), signal })
  }
  host.serve(sndsOperations, services)
  host.extend(mailerAdminApi, {
    name: 'snds',
    operations: bindOperations(sndsOperations, services)
  })
  host.extend(mailerSetupCheck, {
    name: 'snds',
    label: 'Outlook SNDS',
    run: async ({ now }) => judgeSetup(await readReport({ config, stored, client }), now)
  })
  host.job('pull', async ({ signal, log }) => {
    const pull = await runSndsPull(services.open(signal))
    if (pull.ran) log.info(pull, 'SNDS was read')
    else if (pull.reason === 'failed') log.warn(pull, 'SNDS could not be read')
  })
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: sndsOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
