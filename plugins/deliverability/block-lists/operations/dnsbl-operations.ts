// Block lists in the mailer's admin API.

import {
  adminAccess,
  askingFirst,
  MAILER_ADMIN_API as base,
  type MailerCore
} from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { DnsblContext } from '../checks/dnsbl-context.ts'
import { runDnsblChecks } from '../checks/run-checks.ts'
import { changeOf, historySchema, readReport, reportSchema, runSchema } from './report.ts'

/** What the operations are served with. */
export interface DnsblHost extends Pick<DnsblContext, 'settings' | 'stored'> {
  mailer(): MailerCore
  /** Makes the context of one run. */
  open(signal: AbortSignal): DnsblContext
}

const RECHECK_MS = 60_000

const read = operation({
  id: 'block-lists.report.read',
  method: 'GET',
  base,
  path: '/dnsbl',
  summary: 'What block lists say about sender domains and addresses',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: reportSchema,
  run: (_input, { host: { settings, stored, mailer } }: Call<DnsblHost>) =>
    readReport({ settings, stored, mailer: mailer() })
})

const history = operation({
  id: 'block-lists.changes.list',
  method: 'GET',
  base,
  path: '/dnsbl/history',
  summary: 'Listings and their ends, newest first',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  query: Type.Object({
    target: Type.Optional(Type.String({ maxLength: 253 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
  }),
  answer: historySchema,
  async run({ query: { target, limit = 50 } }, { host }: Call<DnsblHost>) {
    const filter = target === undefined ? {} : { target }
    const rows = await host.stored.changes.find(filter).sort({ at: -1 }).limit(limit).toArray()
    return { changes: rows.map(changeOf) }
  }
})

const recheck = operation({
  id: 'block-lists.report.recheck',
  method: 'POST',
  base,
  path: '/dnsbl/recheck',
  summary: 'Asks all block lists now',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, long: true },
  answer: runSchema,
  async run(_input, { host, actor, signal }: Call<DnsblHost>) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)])
    const run = await runDnsblChecks(host.open(ends), { isForced: true })
    const resource = { collection: 'block_lists_checks' }
    await host.mailer().as(actor).audit({ action: 'dnsbl.recheck', resource, after: run })
    return run
  }
})

/** The operations of the plugin. */
export const dnsblOperations: readonly Operation<DnsblHost>[] = askingFirst(
  [read, history, recheck],
  ({ mailer }) => mailer()
)
