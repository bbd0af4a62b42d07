// What programs contribute to the mailer: their campaigns, a listener, the data of subjects, a task of the tick.
import type { CampaignSource } from '../../contracts/mailer-campaigns.ts'
import type { ContactData } from '../../contracts/mailer-contact-data.ts'
import type { EventListener } from '../../contracts/mailer-event-listener.ts'
import type { TickTask } from '../../contracts/mailer-tick.ts'
import { enterByEvents } from './enter-programs.ts'
import { PROGRAM, type ProgramContext } from './program-context.ts'
import { ownersOf, usesOfTemplate } from './program-uses.ts'
import { recoverParkedRuns } from './recover-parked-runs.ts'
import { exportSubject, forgetSubject } from './subject-data.ts'
import { programStops } from './verify-sends.ts'

/** Programs as campaigns of the mailer. */
export const campaignsOf = (context: ProgramContext): CampaignSource => ({
  kind: PROGRAM,
  permission: 'mailer.publish',
  takeOver: 'Disable and enable it',
  owners: (slugs) => ownersOf(context, slugs),
  stops: (mails, { now }) => programStops(context, mails, now),
  usesOf: (templateSlug) => usesOfTemplate(context, templateSlug)
})

/** Enters subjects by their events. */
export const listenerOf = (context: ProgramContext): EventListener => ({
  name: 'programs',
  onEvents: (events) => enterByEvents(context, events)
})

/** A contact may be a subject. */
export const contactDataOf = (context: ProgramContext): ContactData => ({
  name: 'programs',
  export: ({ externalId }) => exportSubject(context, externalId),
  forget: ({ externalId }) => forgetSubject(context, externalId)
})

/** Ends runs that no worker could finish. */
export const taskOf = (context: ProgramContext): TickTask => ({
  name: 'programs',
  run: () => recoverParkedRuns(context)
})
