// What other plugins add to a mailer.
import type { RegisteredJob } from '@keelson/sdk'
import type { AdminApi } from '../contracts/mailer-admin-api.ts'
import type { MailHealth } from '../contracts/mailer-breaker.ts'
import type { CampaignSource } from '../contracts/mailer-campaigns.ts'
import type { ContactData } from '../contracts/mailer-contact-data.ts'
import type { DmarcInbound } from '../contracts/mailer-dmarc-inbound.ts'
import type { EventListener } from '../contracts/mailer-event-listener.ts'
import type { ImageStore } from '../contracts/mailer-images.ts'
import type { PublishGate } from '../contracts/mailer-publish-gate.ts'
import type { SendGate } from '../contracts/mailer-send-gate.ts'
import type { SetupCheck } from '../contracts/mailer-setup-check.ts'
import type { VerifyCheck } from '../contracts/mailer-verify-check.ts'

/** A task of the tick, and how its job goes. */
export interface ScheduledTask extends RegisteredJob {
  readonly name: string
  /** Its time limit is the usual one, or shorter: it is worth waiting for. */
  readonly isShort: boolean
}

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
  readonly tickTasks: () => readonly ScheduledTask[]
  readonly verifyChecks: () => readonly VerifyCheck[]
  readonly adminApis: () => readonly AdminContribution[]
  readonly campaigns: () => readonly CampaignSource[]
  readonly eventListeners: () => readonly EventListener[]
  readonly contactData: () => readonly ContactData[]
  /** What takes DMARC reports; undefined without the plugin. */
  readonly dmarcInbound: () => DmarcInbound | undefined
  /** Where pictures are kept; undefined: in the database. */
  readonly imageStore: () => ImageStore | undefined
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
  campaigns: none,
  eventListeners: none,
  contactData: none,
  dmarcInbound: () => undefined,
  imageStore: () => undefined,
  health: async () => null
}
