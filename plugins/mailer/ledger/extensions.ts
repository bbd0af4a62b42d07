// What other plugins add to a mailer.
import type { AdminApi } from '@keelson/sdk/contracts/mailer-admin-api'
import type { MailHealth } from '@keelson/sdk/contracts/mailer-breaker'
import type { PublishGate } from '@keelson/sdk/contracts/mailer-publish-gate'
import type { SendGate } from '@keelson/sdk/contracts/mailer-send-gate'
import type { SetupCheck } from '@keelson/sdk/contracts/mailer-setup-check'
import type { TickTask } from '@keelson/sdk/contracts/mailer-tick'
import type { VerifyCheck } from '@keelson/sdk/contracts/mailer-verify-check'

/** What one plugin adds to the admin API. */
export interface AdminContribution {
  /** The id of the plugin. */
  readonly plugin: string
  readonly api: AdminApi
}

/** What other plugins contributed, or a test gave. The lists are live. */
export interface MailerExtensions {
  readonly sendGates: () => readonly SendGate[]
  readonly publishGates: () => readonly PublishGate[]
  readonly setupChecks: () => readonly SetupCheck[]
  readonly tickTasks: () => readonly TickTask[]
  readonly verifyChecks: () => readonly VerifyCheck[]
  readonly adminApis: () => readonly AdminContribution[]
  /** Of the circuit breaker; null without one. */
  readonly health: () => Promise<MailHealth | null>
}

const none = () => []

/** Nothing is added. */
export const noExtensions: MailerExtensions = {
  sendGates: none,
  publishGates: none,
  setupChecks: none,
  tickTasks: none,
  verifyChecks: none,
  adminApis: none,
  health: async () => null
}
