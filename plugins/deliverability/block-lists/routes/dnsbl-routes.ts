// Block lists in the mailer's admin API.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import type { DnsblContext } from '../checks/dnsbl-context.ts'
import { runDnsblChecks } from '../checks/run-checks.ts'
import { changeOf, historySchema, readReport, reportSchema, runSchema } from './report.ts'

/** What the routes need of the plugin. */
export interface DnsblRouteParts extends Pick<DnsblContext, 'settings' | 'stored'> {
  /** Makes the context of one run. */
  open(mailer: MailerCore, now: Date, signal: AbortSignal): DnsblContext
}

const RECHECK_MS = 60_000

export function dnsblRoutes({ settings, stored, open }: DnsblRouteParts): readonly AdminRoute[] {
  const read = adminRoute({
    method: 'GET',
    path: '/dnsbl',
    summary: 'What block lists say about sender domains and addresses',
    schema: { response: { 200: reportSchema } },
    handler: async ({ mailer }) => ({ body: await readReport({ settings, stored, mailer }) })
  })
  const history = adminRoute({
    method: 'GET',
    path: '/dnsbl/history',
    summary: 'Listings and their ends, newest first',
    schema: {
      querystring: Type.Object({
        target: Type.Optional(Type.String({ maxLength: 253 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
      }),
      response: { 200: historySchema }
    },
    handler: async ({ query: { target, limit = 50 } }) => {
      const filter = target === undefined ? {} : { target }
      const rows = await stored.changes.find(filter).sort({ at: -1 }).limit(limit).toArray()
      return { body: { changes: rows.map(changeOf) } }
    }
  })
  const recheck = adminRoute({
    method: 'POST',
    path: '/dnsbl/recheck',
    summary: 'Asks all block lists now',
    permission: 'publish',
    schema: { response: { 200: runSchema } },
    handler: async ({ mailer, now, signal, audit }) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)])
      const run = await runDnsblChecks(open(mailer, now, ends), { isForced: true })
      const resource = { collection: 'block_lists_checks' }
      await audit({ action: 'dnsbl.recheck', resource, after: run })
      return { body: run }
    }
  })
  return [read, history, recheck]
}
