// Writes the audit, and sends events to the host's track function.
import type { Actor } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { OAuthEvent } from '../config/host-code.ts'
import type { Settings } from '../config/settings.ts'
import type { OAuthHappening } from '../contracts.ts'
import { newRowId } from '../crypto/handles.ts'
import type { OAuthAudit } from '../storage/rows.ts'

/** Where a request came from. */
export interface Origin {
  readonly ip: string
  readonly requestId: string
}

/** Where the call of an actor came from. */
export const originOfActor = ({ ip, requestId }: Actor): Partial<Origin> => ({
  ...(ip !== undefined && { ip }),
  ...(requestId !== undefined && { requestId })
})

/** A row of the audit before it is written. */
export type NewAuditEntry = Omit<OAuthAudit, '_id' | 'type' | 'createdAt' | 'ip' | 'requestId'> &
  Partial<Origin>

/** The administrator who acts, and the origin of the request. */
export interface Author extends Partial<Origin> {
  readonly actorId: string | undefined
}

export interface Journal {
  /** Resolves with the id of the row. */
  audit(type: string, entry: NewAuditEntry): Promise<string>
  /**
   * Calls `track` of the host at once; resolves when the event is kept for the webhooks that want it. Errors are
   * logged and break nothing.
   */
  track(event: OAuthEvent, foretold?: OAuthHappening): Promise<void>
  /**
   * Keeps the events of a change that ends access, before the change: give what it answers to `track`, or to
   * `trackForetold`, when the change is made. Errors are logged and break nothing.
   */
  foretell(events: readonly OAuthEvent[]): Promise<readonly (OAuthHappening | undefined)[]>
  /** As `track`, for many at once. */
  trackForetold(
    events: readonly OAuthEvent[],
    foretold: readonly (OAuthHappening | undefined)[]
  ): Promise<void>
  /** The same journal, where every audit entry names this author. */
  by(author: Author): Journal
}

/** Where events are kept until they are sent: the outbox, which keeps nothing of the audit. */
interface KeptEvents {
  announce(event: OAuthEvent, foretold?: OAuthHappening): Promise<void>
  announceAll: Journal['trackForetold']
  foretell: Journal['foretell']
}

export function createJournal(
  settings: Settings,
  rows: Collection<OAuthAudit>,
  { announce, announceAll, foretell }: KeptEvents
): Journal {
  const failed = (type: string | undefined, err: unknown) =>
    settings.logger.warn({ type, err }, 'track failed; the request goes on')
  /** The function of the host. */
  const call = (event: OAuthEvent) => {
    try {
      const answer = settings.track(defined(event))
      Promise.resolve(answer).catch((err: unknown) => failed(event.type, err))
    } catch (err) {
      failed(event.type, err)
    }
  }
  const journal: Journal = {
    async audit(type, entry) {
      const _id = newRowId()
      await rows.insertOne({ _id, type, ...defined(entry), createdAt: settings.now() })
      return _id
    },
    foretell: (events) =>
      foretell(events.map(defined)).catch((err: unknown) => {
        failed(events[0]?.type, err)
        return []
      }),
    async track(event, foretold) {
      const kept = announce(defined(event), foretold).catch((err: unknown) =>
        failed(event.type, err)
      )
      call(event)
      await kept
    },
    async trackForetold(events, foretold) {
      const kept = announceAll(events.map(defined), foretold).catch((err: unknown) =>
        failed(events[0]?.type, err)
      )
      for (const event of events) call(event)
      await kept
    },
    by: (author) => ({
      ...journal,
      audit: (type, entry) => journal.audit(type, { ...author, ...entry } as NewAuditEntry)
    })
  }
  return journal
}

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
