// Postmaster in the mailer's admin API.

import {
  adminAccess,
  askingFirst,
  MAILER_ADMIN_API as base,
  type MailerCore
} from '@keelson/mailer/contracts'
import { type Call, type Operation, operation } from '@keelson/sdk'
import { type PostmasterContext, runPostmasterPull } from '../pull/run-pull.ts'
import { pullSchema, readReport, reportSchema } from './report.ts'

/** What the operations are served with. */
export interface PostmasterHost {
  mailer(): MailerCore
  /** Makes the context of one call. */
  open(signal: AbortSignal): PostmasterContext
}

const REFRESH_MS = 60_000

const read = operation({
  id: 'postmaster.report.read',
  method: 'GET',
  base,
  path: '/postmaster',
  summary: 'What Gmail says about the mail of each domain',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  answer: reportSchema,
  run: (_input, { host, signal }: Call<PostmasterHost>) => readReport(host.open(signal))
})

const refresh = operation({
  id: 'postmaster.report.refresh',
  method: 'POST',
  base,
  path: '/postmaster/refresh',
  summary: 'Reads Postmaster Tools now',
  access: adminAccess.publish,
  agent: true,
  effect: 'change',
  hints: { idempotent: true, long: true },
  answer: pullSchema,
  async run(_input, { host, actor, signal }: Call<PostmasterHost>) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(REFRESH_MS)])
    const pull = await runPostmasterPull(host.open(ends), { isForced: true })
    const resource = { collection: 'postmaster_snapshots' }
    await host.mailer().as(actor).audit({ action: 'postmaster.refresh', resource, after: pull })
    return pull
  }
})

/** The operations of the plugin. */
export const postmasterOperations: readonly Operation<PostmasterHost>[] = askingFirst(
  [read, refresh],
  ({ mailer }) => mailer()
)
