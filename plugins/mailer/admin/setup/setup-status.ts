// The setup list: the mailer's own checks and those of other plugins, side by side, and the worst of them.
import { within } from '@keelson/sdk'
import type { SetupCheck, SetupResult, SetupSeverity } from '../../contracts/mailer-setup-check.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { configurationChecks } from './configuration-checks.ts'
import { eventChecks } from './event-checks.ts'
import { say } from './sentences.ts'
import { templateChecks } from './template-checks.ts'
import { workChecks } from './work-checks.ts'

/** A line of the list. */
export interface SetupLine extends SetupResult {
  readonly name: string
  readonly label: string
}

/** The list as the admin API answers it. */
export interface SetupStatus {
  /** The worst line. */
  readonly overall: SetupSeverity
  readonly generatedAt: Date
  readonly checks: readonly SetupLine[]
}

const TIMEOUT_MS = 5_000
const SEVERITIES: readonly SetupSeverity[] = ['ok', 'warn', 'error']

/** Runs every check. One that fails or takes longer than 5 seconds shows an error on its line. */
export async function readSetupStatus(context: MailerContext): Promise<SetupStatus> {
  const all = [
    ...workChecks(context),
    ...configurationChecks(context),
    ...templateChecks(context),
    ...eventChecks(context),
    ...context.extensions.setupChecks()
  ]
  const checks = await Promise.all(all.map((check) => lineOf(context, check)))
  return { overall: worstOf(checks), generatedAt: context.clock.now(), checks }
}

/** The worst severity of a list; `ok` of an empty one. */
export function worstOf(lines: readonly { readonly severity: SetupSeverity }[]): SetupSeverity {
  const at = Math.max(0, ...lines.map(({ severity }) => SEVERITIES.indexOf(severity)))
  return SEVERITIES[at] ?? 'error'
}

async function lineOf({ clock, core, log }: MailerContext, check: SetupCheck): Promise<SetupLine> {
  const { name, label } = check
  const controller = new AbortController()
  const given = { now: clock.now(), signal: controller.signal, mailer: core }
  const overdue = () => new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)
  const run = async () => check.run(given)
  try {
    return { name, label, ...(await within(run(), { deadline: { ms: TIMEOUT_MS, overdue } })) }
  } catch (error) {
    log.warn({ err: error, check: name }, 'mailer: a setup check failed')
    return { name, label, severity: 'error', ...say('setup.failed', { error: messageOf(error) }) }
  } finally {
    controller.abort()
  }
}
