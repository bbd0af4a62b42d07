// SNDS in the mailer's admin API.
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import { runSndsPull, type SndsContext } from '../pull/run-pull.ts'
import { pullSchema, readReport, reportSchema } from './report.ts'

/** Makes the context of one call. */
export type OpenContext = (now: Date, signal: AbortSignal) => SndsContext

const REFRESH_MS = 60_000

export function sndsRoutes(open: OpenContext): readonly AdminRoute[] {
  const read = adminRoute({
    method: 'GET',
    path: '/snds',
    summary: 'What Outlook says about the mail of each address',
    schema: { response: { 200: reportSchema } },
    handler: async ({ now, signal }) => ({ body: await readReport(open(now, signal)) })
  })
  const refresh = adminRoute({
    method: 'POST',
    path: '/snds/refresh',
    summary: 'Reads SNDS now',
    permission: 'publish',
    schema: { response: { 200: pullSchema } },
    handler: async ({ now, signal, audit }) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(REFRESH_MS)])
      const pull = await runSndsPull(open(now, ends), { isForced: true })
      const resource = { collection: 'snds_snapshots' }
      await audit({ action: 'snds.refresh', resource, after: pull })
      return { body: pull }
    }
  })
  return [read, refresh]
}
