// Postmaster in the mailer's admin API.
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { MailerCore } from '@keelson/sdk/contracts/mailer-core'
import { type PostmasterContext, runPostmasterPull } from '../pull/run-pull.ts'
import { pullSchema, readReport, reportSchema } from './report.ts'

/** Makes the context of one call. */
export type OpenContext = (mailer: MailerCore, now: Date, signal: AbortSignal) => PostmasterContext

const REFRESH_MS = 60_000

export function postmasterRoutes(open: OpenContext): readonly AdminRoute[] {
  const read = adminRoute({
    method: 'GET',
    path: '/postmaster',
    summary: 'What Gmail says about the mail of each domain',
    schema: { response: { 200: reportSchema } },
    handler: async ({ mailer, now, signal }) => ({
      body: await readReport(open(mailer, now, signal))
    })
  })
  const refresh = adminRoute({
    method: 'POST',
    path: '/postmaster/refresh',
    summary: 'Reads Postmaster Tools now',
    permission: 'publish',
    schema: { response: { 200: pullSchema } },
    handler: async ({ mailer, now, signal, audit }) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(REFRESH_MS)])
      const pull = await runPostmasterPull(open(mailer, now, ends), { isForced: true })
      const resource = { collection: 'postmaster_snapshots' }
      await audit({ action: 'postmaster.refresh', resource, after: pull })
      return { body: pull }
    }
  })
  return [read, refresh]
}
