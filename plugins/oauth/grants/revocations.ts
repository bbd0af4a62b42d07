// The one way by which access ends: its event is kept before the change, and leaves after it.
import type { Journal, Origin } from '../audit/journal.ts'
import type { OAuthEvent } from '../config/host-code.ts'
import type { Settings } from '../config/settings.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthGrant, RevokedBy } from '../storage/rows.ts'
import { type Access, createAccess, type RevocationCounts } from './access.ts'
import type { EndingType } from './endings.ts'
import { allHeard, type OwnCache, raiseVersion } from './tell-caches.ts'

/** What ends, as listeners and webhooks learn it and as the audit has it. */
export interface Ending {
  readonly event: OAuthEvent & { readonly type: EndingType }
  readonly audit: {
    readonly type: string
    readonly actor: RevokedBy
    readonly origin?: Partial<Origin> | undefined
    /** Beside what the event says. */
    readonly meta?: Readonly<Record<string, unknown>>
    /** The audit does not name the person. */
    readonly isNameless?: boolean
  }
}

export interface Revocations {
  /** `change` resolves with numbers for the audit and the event. */
  end<T extends object>(
    ending: Ending,
    change: (access: Access) => Promise<T>,
    journal: Journal
  ): Promise<{ readonly counts: T; readonly auditId: string }>
  /** Ends many grants, with an event for each; their counts are of all. */
  endGrants(
    grants: readonly OAuthGrant[],
    by: RevokedBy,
    journal: Journal
  ): Promise<RevocationCounts>
  /** Ends again what has ended or never began, as after a process was killed: there is nothing to tell. */
  finish<T>(change: (access: Access) => Promise<T>): Promise<T>
  /** After rows were deleted: when it resolves, no process answers from a cache that is older. */
  tellCaches(): Promise<void>
  /** At start: a killed process may have ended tokens without announcing it. Does not wait for other processes. */
  tellAfterStart(): Promise<void>
}

export function createRevocations(
  settings: Settings,
  collections: OAuthCollections,
  own: OwnCache
): Revocations {
  const { state } = collections
  const tellCaches = async (): Promise<void> => {
    await allHeard(await raiseVersion(state, own), state, own)
  }
  const access = createAccess(settings, collections, tellCaches)
  return {
    async end({ event, audit }, change, journal) {
      const [foretold] = await journal.foretell([event])
      const counts = await change(access)
      const { type, actor, origin, isNameless } = audit
      const meta = { ...counts, ...audit.meta }
      const about = aboutOf(event, isNameless)
      const auditId = await journal.audit(type, { actor, ...about, meta, ...origin })
      await journal.track({ ...event, meta: { ...counts, ...event.meta } }, foretold)
      return { counts, auditId }
    },
    async endGrants(grants, by, journal) {
      const told = grants.map((grant) => grantEvent(grant, by))
      const foretold = await journal.foretell(told)
      const counts = await access.ofGrants(
        grants.map(({ _id }) => _id),
        by
      )
      await journal.trackForetold(told, foretold)
      return counts
    },
    finish: (change) => change(access),
    tellCaches,
    tellAfterStart: async () => void (await raiseVersion(state, own))
  }
}

const aboutOf = ({ clientId, grantId, userId }: OAuthEvent, isNameless = false) => ({
  ...(clientId !== undefined && { clientId }),
  ...(grantId !== undefined && { grantId }),
  ...(userId !== undefined && !isNameless && { userId })
})

/** The event of the end of one grant. */
export function grantEvent(
  { _id: grantId, clientId, userId, contextId, scopes }: OAuthGrant,
  by: RevokedBy
): Ending['event'] {
  const context = contextId === null ? {} : { contextId }
  const about = { clientId, userId, grantId }
  return { type: 'oauth.grant_revoked', ...about, scopes, ...context, meta: { by } }
}
