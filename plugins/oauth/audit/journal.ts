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
   * Keeps the event of a change that ends access, before the change: give what it answers to `track` when the change
   * is made. Errors are logged and break nothing.
   */
  foretell(event: OAuthEvent): Promise<OAuthHappening | undefined>
  /** The same journal, where every audit entry names this author. */
  by(author: Author): Journal
}

/** Where events are kept until they are sent. */
interface KeptEvents {
  announce(event: OAuthEvent, foretold?: OAuthHappening): Promise<void>
  foretell(event: OAuthEvent): Promise<OAuthHappening | undefined>
}

export function createJournal(
  settings: Settings,
  rows: Collection<OAuthAudit>,
  { announce, foretell }: KeptEvents
): Journal {
  const failed = (type: string, err: unknown) =>
    settings.logger.warn({ type, err }, 'track failed; the request goes on')
  const journal: Journal = {
    async audit(type, entry) {
      const _id = newRowId()
      await rows.insertOne({ _id, type, ...defined(entry), createdAt: settings.now() })
      return _id
    },
    foretell: (event) =>
      foretell(defined(event)).catch((err: unknown) => {
        failed(event.type, err)
        return undefined
      }),
    async track(event, foretold) {
      const kept = announce(defined(event), foretold).catch((err: unknown) =>
        failed(event.type, err)
      )
      try {
        const answer = settings.track(defined(event))
        Promise.resolve(answer).catch((err: unknown) => failed(event.type, err))
      } catch (err) {
        failed(event.type, err)
      }
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
