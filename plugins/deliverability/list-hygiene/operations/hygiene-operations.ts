// The report of list hygiene in the mailer's admin API.

import { adminAccess, MAILER_ADMIN_API as base } from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { computeListHygiene, lastReport } from '../report/compute-list-hygiene.ts'
import { reportSchema } from '../report/report.ts'
import type { HygieneContext } from '../rows.ts'
import { refusals } from './refusals.ts'

/** What the operations are served with. */
export interface HygieneHost {
  /** Makes the context of one call. */
  open(): HygieneContext
}

/** How long a call may compute; the job goes on with what is left. */
const CALL_MS = 5_000
const PENDING = { retryAfterSeconds: 60, more: { code: 'LHG_REPORT_PENDING' } } as const

const read = operation({
  id: 'list-hygiene.report.read',
  method: 'GET',
  base,
  path: '/hygiene',
  summary: 'How engaged subscribers are, and whom to stop mailing',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  query: Type.Object({
    refresh: Type.Optional(
      Type.Enum(['0', '1'], {
        description: '1: compute anew. Else the report is at most 15 minutes old.'
      })
    )
  }),
  answer: reportSchema,
  errors: refusals.only('report_pending'),
  async run({ query: { refresh } }, { host, signal }: Call<HygieneHost>) {
    const context = host.open()
    const last = await lastReport(context)
    if (last !== null && refresh !== '1') return last
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)])
    const report = await computeListHygiene(context, limit)
    // Zeros would say that there is no subscriber.
    return report ?? refusals.refuse('report_pending', PENDING)
  }
})

/** The operations of the plugin. */
export const hygieneOperations: readonly Operation<HygieneHost>[] = [read]
