// Programs on the mailer that they are part of.
import type { MailerContext } from '../../ledger/context.ts'
import type { MailerExtensions } from '../../ledger/extensions.ts'
import { createCampaignMailer } from '../campaign-mailer.ts'
import { campaignsOf, contactDataOf, listenerOf } from './contributions.ts'
import type { ProgramContext } from './program-context.ts'

/** The part of a mailer that programs need. */
export function programsOf(context: MailerContext): ProgramContext {
  const { collections, queues, core, config, clock, log } = context
  return {
    collections,
    runs: queues.programRuns,
    mailer: core,
    mails: createCampaignMailer(context),
    facts: config.factsAdapter,
    decisionRetentionDays: config.programs?.decisionRetentionDays,
    clock,
    log,
    withTransaction: (fn) => context.withTransaction(fn)
  }
}

/** What other plugins add to a mailer, and what programs do. */
export function withPrograms(
  extensions: MailerExtensions,
  contextOf: () => MailerContext
): MailerExtensions {
  const programs = () => programsOf(contextOf())
  return {
    ...extensions,
    campaigns: () => [campaignsOf(programs()), ...extensions.campaigns()],
    eventListeners: () => [listenerOf(programs()), ...extensions.eventListeners()],
    contactData: () => [contactDataOf(programs()), ...extensions.contactData()]
  }
}
