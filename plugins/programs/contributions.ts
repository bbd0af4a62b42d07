// What programs contribute to the mailer: their campaigns, a listener, the data of subjects, a task of the tick.
import type {
  CampaignSource,
  ContactData,
  EventListener,
  TickTask
} from '@keelson/mailer/contracts'
import { namesOf, ownersOf, usesOfTemplate } from './acts/program-uses.ts'
import type { ProgramSubjects } from './contracts.ts'
import { errors } from './errors.ts'
import { enterByEvents } from './looks/enter-programs.ts'
import { recoverParkedRuns } from './looks/recover-parked-runs.ts'
import { exportSubject, forgetSubject } from './looks/subject-data.ts'
import { programStops } from './looks/verify-sends.ts'
import { PROGRAM, type ProgramContext } from './program-context.ts'
import { MAX_SUBJECT_ID } from './storage/inputs.ts'

type Open = () => ProgramContext

/** Programs as campaigns of the mailer. */
export const campaignsOf = (open: Open): CampaignSource => ({
  kind: PROGRAM,
  permission: 'mailer.publish',
  takeOver: 'Disable and enable it',
  owners: (slugs) => ownersOf(open(), slugs),
  stops: (mails, { now }) => programStops(open(), mails, now),
  usesOf: (templateSlug) => usesOfTemplate(open(), templateSlug),
  names: (slugs) => namesOf(open(), slugs)
})

/** Enters subjects by their events. */
export const listenerOf = (open: Open): EventListener => ({
  name: 'programs',
  onEvents: (events) => enterByEvents(open(), events)
})

/** A contact may be a subject. */
export const contactDataOf = (open: Open): ContactData => ({
  name: 'programs',
  export: ({ externalId }) => exportSubject(open(), externalId),
  forget: ({ externalId }) => forgetSubject(open(), externalId)
})

/** Ends runs that no worker could finish. */
export const taskOf = (open: Open): TickTask => ({
  name: 'programs',
  // It is seldom needed, and a run that is lost may wait for a minute.
  everySeconds: 60,
  run: () => recoverParkedRuns(open())
})

/** Subjects, for plugins that know when one is gone. */
export const subjectsOf = (open: Open): ProgramSubjects => ({
  as: (actor) => ({
    async forget(subjectId) {
      const isId = typeof subjectId === 'string' && subjectId !== ''
      if (!isId || subjectId.length > MAX_SUBJECT_ID) throw errors.PRG_SUBJECT_INVALID({})
      const context = open()
      // The entry asks whether the actor may; it does not name whom it was about.
      const resource = { collection: context.collections.programRuns.collectionName }
      await context.mailer.as(actor).audit({ action: 'program.subject.forget', resource })
      await forgetSubject(context, subjectId)
    }
  })
})
