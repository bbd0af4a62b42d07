// The steps of each authorization, in sentences, for the diagnostics of operators.
import type { Sentence } from '@keelson/sdk'
import type { Collection, Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import { newRowId } from '../crypto/handles.ts'
import type { AttemptStep, StoredAttempt } from '../storage/rows.ts'

/** What is known about an attempt from its start. */
export type AboutAttempt = Pick<StoredAttempt, 'ip' | 'sentId' | 'refusedHost'>

export interface AttemptLog {
  /** `clientId` null: no known client was named. */
  begin(clientId: string | null, about?: AboutAttempt): string
  /** The person who is signed in. */
  person(attemptId: string, userId: string): void
  /**
   * Written soon afterwards; callers do not wait for it. A text as the detail is what the client was answered, and
   * is quoted on pages.
   */
  note(
    attemptId: string | undefined,
    step: string,
    outcome: AttemptStep['outcome'],
    detail: Sentence | string
  ): void
  /**
   * Newest first, at most 100; of a client also those from before its id was known. Those that a person saw are not
   * displaced by others. `seen`: of which people.
   */
  list(
    clientId: string | null,
    seen?: Filter<StoredAttempt>
  ): Promise<readonly Omit<StoredAttempt, 'expiresAt' | 'hasPerson'>[]>
  /** Waits until everything noted is written. */
  settle(): Promise<void>
}

/** Characters that are kept of an unknown client id. */
export const MAX_SENT = 200
const KEPT = 100
const KEPT_DAYS = 14
const MAX_STEPS = 40
const FLUSH_MS = 100
const MAX_WAITING = 2000
/** Old attempts are pruned after this many new ones of a client. */
const PRUNE_EVERY = 20

interface Note {
  readonly attemptId: string
  readonly at: Date
  readonly clientId: string | null | undefined
  readonly step: AttemptStep | undefined
  readonly about?: AboutAttempt & Pick<StoredAttempt, 'userId'>
}

export function createAttemptLog(settings: Settings, rows: Collection<StoredAttempt>): AttemptLog {
  let waiting: Note[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const begun = new Map<string | null, number>()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const notes = waiting
    waiting = []
    writing = writing
      .then(() => write(rows, notes))
      .then(() => pruneDue(notes))
      .catch((err: unknown) => settings.logger.warn({ err }, 'attempts were not written'))
    return writing
  }

  const pruneDue = async (written: readonly Note[]): Promise<void> => {
    for (const { clientId } of written) {
      if (clientId !== undefined) begun.set(clientId, (begun.get(clientId) ?? 0) + 1)
    }
    for (const [clientId, count] of begun) {
      if (count < PRUNE_EVERY) continue
      begun.set(clientId, 0)
      await prune(rows, clientId)
    }
  }

  const add = (note: Note): void => {
    if (waiting.length >= MAX_WAITING) return
    waiting.push(note)
    timer ??= setTimeout(flush, FLUSH_MS).unref()
  }

  return {
    begin(clientId, about = {}) {
      const attemptId = newRowId()
      add({ attemptId, at: settings.now(), clientId, step: undefined, about })
      return attemptId
    },
    person(attemptId, userId) {
      const about = { userId }
      add({ attemptId, at: settings.now(), clientId: undefined, step: undefined, about })
    },
    note(attemptId, step, outcome, detail) {
      if (attemptId === undefined) return
      const at = settings.now()
      const words =
        typeof detail === 'string' ? { detail } : { detail: detail.message, said: detail.said }
      add({ attemptId, at, clientId: undefined, step: { at, step, outcome, ...words } })
    },
    async list(clientId, seen = {}) {
      await flush()
      const newest = (filter: Filter<StoredAttempt>) =>
        rows
          .find({ $and: [filter, seen] })
          .sort({ startedAt: -1 })
          .limit(KEPT)
          .toArray()
      const [withPerson, others] = await Promise.all([
        newest({ clientId, hasPerson: true }),
        newest({ ...sentBy(clientId), hasPerson: { $ne: true } })
      ])
      return [...withPerson, ...others.slice(0, KEPT - withPerson.length)]
        .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
        .map(({ expiresAt: _expires, hasPerson: _hasPerson, ...attempt }) => attempt)
    },
    settle: flush
  }
}

/** Attempts with this id, whether it was known or not. */
export const sentBy = (clientId: string | null): Filter<StoredAttempt> =>
  clientId === null
    ? { clientId }
    : { $or: [{ clientId }, { clientId: null, sentId: clientId.slice(0, MAX_SENT) }] }

async function write(rows: Collection<StoredAttempt>, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return
  const grouped = new Map<string, Note[]>()
  for (const note of notes) {
    const own = grouped.get(note.attemptId)
    if (own === undefined) grouped.set(note.attemptId, [note])
    else own.push(note)
  }
  await rows.bulkWrite(
    [...grouped].map(([attemptId, own]) => {
      const steps = own.map(({ step }) => step).filter((step) => step !== undefined)
      const clientId = own.find((note) => note.clientId !== undefined)?.clientId
      const now = own[0]?.at ?? new Date(0)
      const first = {
        clientId: clientId ?? null,
        startedAt: now,
        expiresAt: new Date(now.getTime() + KEPT_DAYS * 86_400_000)
      }
      return {
        updateOne: {
          filter: { _id: attemptId },
          // A step of an attempt that was deleted must not create a new one.
          upsert: clientId !== undefined,
          update: {
            $push: { steps: { $each: steps, $slice: -MAX_STEPS } },
            ...(clientId !== undefined && { $setOnInsert: first }),
            $set: {
              ...Object.assign({}, ...own.map(({ about }) => about)),
              ...(steps.some(isOfPerson) && { hasPerson: true })
            }
          }
        }
      }
    }),
    { ordered: false }
  )
}

/** Someone who is signed in got this far; anyone can begin an attempt. */
const isOfPerson = ({ step, outcome }: AttemptStep): boolean =>
  step === 'consent' || (outcome === 'passed' && (step === 'decision' || step === 'token'))

async function prune(rows: Collection<StoredAttempt>, clientId: string | null): Promise<void> {
  await pruneOf(rows, { clientId, hasPerson: true })
  await pruneOf(rows, { clientId, hasPerson: { $ne: true } })
}

async function pruneOf(
  rows: Collection<StoredAttempt>,
  filter: Filter<StoredAttempt>
): Promise<void> {
  const old = await rows
    .find(filter, { projection: { _id: 1 } })
    .sort({ startedAt: -1 })
    .skip(KEPT)
    .limit(1000)
    .toArray()
  if (old.length > 0) await rows.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
}
