// The whole mailer as a contract, within this package: its public routes, and tests that drive it.
import { type Capability, defineCapability } from '@keelson/sdk'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import { type MailerCore, mailerCore } from '../contracts/mailer-core.ts'
import type { MailerContext } from '../ledger/context.ts'

/** `mailer.core/v1` with the inside of the mailer. */
export interface MailerHandle extends MailerCore {
  readonly events: EventRegistry
  /** Settings, collections, queues, templates and contributions; complete when the host is ready. */
  getRunnerContext(): MailerContext
}

/** The mailer as its own package knows it. Other plugins use the contracts. */
export const mailerHandle: Capability<MailerHandle> = defineCapability<MailerHandle>(
  mailerCore.id,
  mailerCore.schema
)
