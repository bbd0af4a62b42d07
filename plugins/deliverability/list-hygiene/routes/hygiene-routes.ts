// The route of list hygiene below the mailer's admin API.
import { Type } from '@keelson/sdk'
import {
  type AdminAnswer,
  type AdminRoute,
  adminRoute
} from '@keelson/sdk/contracts/mailer-admin-api'
import { errors } from '../errors.ts'
import { computeListHygiene, lastReport } from '../report/compute-list-hygiene.ts'
import { reportSchema } from '../report/report.ts'
import type { HygieneContext } from '../rows.ts'

/** How long a call may compute; the job goes on with what is left. */
const CALL_MS = 5_000

/** The routes; `open` makes a context for one call. */
export function hygieneRoutes(open: () => HygieneContext): readonly AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/hygiene',
      summary: 'How engaged subscribers are, and whom to stop mailing',
      schema: {
        querystring: Type.Object({
          refresh: Type.Optional(
            Type.Enum(['0', '1'], {
              description: '1: compute anew. Else the report is at most 15 minutes old.'
            })
          )
        }),
        response: { 200: reportSchema }
      },
      async handler({ query: { refresh }, signal }) {
        const context = open()
        const last = await lastReport(context)
        if (last !== null && refresh !== '1') return { body: last }
        const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)])
        const report = await computeListHygiene(context, limit)
        // Zeros would say that there is no subscriber.
        return report === null ? pending() : { body: report }
      }
    })
  ]
}

function pending(): AdminAnswer {
  const { code, status, message } = errors.LHG_REPORT_PENDING({})
  const body = { error: 'report_pending', code, message }
  return { status, body, headers: { 'retry-after': '60' } }
}
