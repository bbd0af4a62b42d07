// One line of time for a contact: mails with what became of them, events, runs, consent. Pure.
import type { Static } from '@keelson/sdk'
import type { contactDetailSchema } from '../../admin/contact-answers.ts'
import type { contactSendSchema, sendLineSchema } from '../../admin/send-answers.ts'

/** A contact with what happened lately. */
export type ContactDetail = Static<typeof contactDetailSchema>
/** A mail with what became of it. */
export type ContactSend = Static<typeof contactSendSchema>
/** A mail in a list. */
export type SendLine = Static<typeof sendLineSchema>

/** What an entry is about: the filter of the timeline. */
export type EntryKind = 'mail' | 'event' | 'run' | 'consent'

/** Something that happened to a mail after it left. */
export interface MailMoment {
  readonly at: string
  readonly what:
    | 'delivered'
    | 'opened'
    | 'clicked'
    | 'bounced'
    | 'complained'
    | 'dropped'
    | 'unsubscribed'
  /** Why it counts as made by a machine; left out for a person. */
  readonly machine?: readonly string[]
  /** A link, a reason. */
  readonly detail?: string
}

/** An entry of the timeline. */
export interface TimelineEntry {
  readonly id: string
  readonly kind: EntryKind
  readonly at: string
  /** Not happened yet: a mail that waits. */
  readonly isPlanned: boolean
  /** A mail. */
  readonly send?: ContactSend
  readonly moments?: readonly MailMoment[]
  /** An event. */
  readonly event?: ContactDetail['recentEvents'][number]
  /** A run of a flow. */
  readonly run?: ContactDetail['activeRuns'][number]
  /** That the run ended, not that it began. */
  readonly isEnd?: true
  /** A broadcast that sent no mail. */
  readonly leftOut?: ContactDetail['recentLeftOut'][number]
  /** A flow whose trigger did not take the contact. */
  readonly notEntered?: ContactDetail['recentNotEntered'][number]
  /** A step of the consent. */
  readonly consent?: ConsentStep
}

/** A step of the consent. */
export type ConsentStep = ContactDetail['consent'][number]

/** What became of a mail, oldest first. */
export function momentsOf(send: ContactSend): readonly MailMoment[] {
  const { deliveredAt, bouncedAt, complainedAt, droppedAt, unsubscribedAt } = send
  const one = (at: string | undefined, what: MailMoment['what'], detail?: string): MailMoment[] =>
    at === undefined ? [] : [{ at, what, ...(detail !== undefined && { detail }) }]
  const moments = [
    ...one(deliveredAt, 'delivered'),
    ...(send.opens ?? []).map(({ openedAt: at, machine }): MailMoment => {
      return { at, what: 'opened', ...(machine && { machine }) }
    }),
    ...(send.clickedLinks ?? []).map(({ clickedAt: at, url, machine }): MailMoment => {
      return { at, what: 'clicked', detail: url, ...(machine && { machine }) }
    }),
    ...one(bouncedAt, 'bounced', send.bounceReason),
    ...one(complainedAt, 'complained'),
    ...one(droppedAt, 'dropped', send.errorMessage),
    ...one(unsubscribedAt, 'unsubscribed')
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** The time of a mail: when it left, else when it was queued. */
export const timeOfSend = ({ handedAt, sentAt, queuedAt }: SendLine): string =>
  sentAt ?? handedAt ?? queuedAt

/** The steps, with the names of categories in place of their ids. */
function withLabels({ consent, reach }: ContactDetail): readonly ConsentStep[] {
  const labels = new Map(reach.categories.map(({ id, label }) => [id, label]))
  return consent.map((step) => {
    const label = labels.get(step.category ?? '')
    return label === undefined ? step : { ...step, category: label }
  })
}

const sendEntry = (send: ContactSend, at: string, isPlanned: boolean): TimelineEntry => ({
  id: `send ${send._id}`,
  kind: 'mail',
  at,
  isPlanned,
  send,
  moments: momentsOf(send)
})

const notEnteredEntry = (notEntered: ContactDetail['recentNotEntered'][number]): TimelineEntry => ({
  id: `notEntered ${notEntered.flow} ${notEntered.reason}`,
  kind: 'run',
  at: notEntered.at,
  isPlanned: false,
  notEntered
})

/** When runs go on, began and ended. */
function runEntries({ activeRuns, endedRuns }: ContactDetail): readonly TimelineEntry[] {
  const entry = (name: string, at: string | undefined, more: Partial<TimelineEntry>) =>
    at === undefined ? [] : [{ id: name, kind: 'run' as const, at, isPlanned: false, ...more }]
  return [
    ...activeRuns.flatMap((run) =>
      entry(`next ${run._id}`, run.nextActionAt, { run, isPlanned: true })
    ),
    ...endedRuns.flatMap((run) => entry(`end ${run._id}`, run.exitedAt, { run, isEnd: true })),
    ...[...activeRuns, ...endedRuns].flatMap((run) =>
      entry(`run ${run._id}`, run.enteredAt, { run })
    )
  ]
}

/** Every entry, what is planned first, then the newest first. */
export function timelineOf(contact: ContactDetail): readonly TimelineEntry[] {
  const { recentSends, recentEvents, recentLeftOut, recentNotEntered, planned } = contact
  const waiting = new Set(planned.map(({ _id }) => _id))
  const entries = [
    ...planned.map((send) => sendEntry(send, send.dueAt ?? send.queuedAt, true)),
    ...recentSends
      .filter(({ _id }) => !waiting.has(_id))
      .map((send) => sendEntry(send, timeOfSend(send), false)),
    ...recentEvents.map(
      (event): TimelineEntry => ({
        id: `event ${event._id}`,
        kind: 'event',
        at: event.occurredAt,
        isPlanned: false,
        event
      })
    ),
    ...runEntries(contact),
    ...recentLeftOut
      // Its mail is listed, with the reason.
      .filter(({ reason }) => reason !== 'policy')
      .map(
        (leftOut): TimelineEntry => ({
          id: `leftOut ${leftOut.broadcast ?? leftOut.at}`,
          kind: 'mail',
          at: leftOut.at,
          isPlanned: false,
          leftOut
        })
      ),
    ...recentNotEntered.map(notEnteredEntry),
    ...withLabels(contact).map(
      (step, index): TimelineEntry => ({
        id: `consent ${index} ${step.what}`,
        kind: 'consent',
        at: step.at,
        isPlanned: false,
        consent: step
      })
    )
  ]
  return entries.sort(
    (a, b) =>
      Number(b.isPlanned) - Number(a.isPlanned) ||
      Date.parse(b.at) - Date.parse(a.at) ||
      a.id.localeCompare(b.id)
  )
}

/** Entries by day, in their order; those that are planned come first, without a day. */
export function entriesByDay(
  entries: readonly TimelineEntry[],
  dayOf: (at: string) => string
): readonly { readonly day: string | undefined; readonly entries: readonly TimelineEntry[] }[] {
  const days: { day: string | undefined; entries: TimelineEntry[] }[] = []
  for (const entry of entries) {
    const day = entry.isPlanned ? undefined : dayOf(entry.at)
    const last = days.at(-1)
    if (last !== undefined && last.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}
