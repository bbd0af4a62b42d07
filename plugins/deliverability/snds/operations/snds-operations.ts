// SNDS in the mailer's admin API.

import {
  adminAccess,
  askingFirst,
  MAILER_ADMIN_API as base,
  type MailerCore
} from '@keelson/mailer/contracts'
import { type Call, type Operation, operation } from '@keelson/sdk'
import { runSndsPull, type SndsContext } from '../pull/run-pull.ts'
import { pullSchema, readReport, reportSchema } from './report.ts'

/** What the operations are served with. */
export interface SndsHost {
  mailer(): MailerCore
  /** Makes the context of one call. */
  open(signal: AbortSignal): SndsContext
}

const REFRESH_MS = 60_000

const read = operation({
  id: 'snds.report.read',
  method: 'GET',
  base,
  path: '/snds',
  summary: 'What Outlook says about the mail of each address',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: reportSchema,
  run: (_input, { host, signal }: Call<SndsHost>) => readReport(host.open(signal))
})

const refresh = operation({
  id: 'snds.report.refresh',
  method: 'POST',
  base,
  path: '/snds/refresh',
  summary: 'Reads SNDS now',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, long: true },
  answer: pullSchema,
  async run(_input, { host, actor, signal }: Call<SndsHost>) {
    const mailer = host.mailer().as(actor)
    const ends = AbortSignal.any([signal, AbortSignal.timeout(REFRESH_MS)])
    const pull = await runSndsPull(host.open(ends), { isForced: true })
    const resource = { collection: 'snds_snapshots' }
    await mailer.audit({ action: 'snds.refresh', resource, after: pull })
    return pull
  }
})

/** The operations of the plugin. */
export const sndsOperations: readonly Operation<SndsHost>[] = askingFirst(
  [read, refresh],
  ({ mailer }) => mailer()
)
