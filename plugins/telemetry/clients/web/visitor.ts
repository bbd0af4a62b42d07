// Who is on the page: an anonymous id, the known person, and a session that ends after half an hour of rest.
import { randomHex } from '../identifiers.ts'
import type { ClientSubject } from '../record.ts'
import type { Identity, Stored } from './stored.ts'

const SESSION_MS = 30 * 60_000

/** `onSession` is called when a session has begun. */
export function createVisitor(stored: Stored, anonType: string, onSession: () => void) {
  let who: Identity | undefined

  function identity(): Identity {
    const now = Date.now()
    const known = who ?? stored.identity()
    const isFresh = known === undefined || now - known.seenAt > SESSION_MS
    who = {
      anon: known?.anon ?? randomHex(12),
      ...(known?.user !== undefined && { user: known.user }),
      session: isFresh ? randomHex(8) : known.session,
      seenAt: now
    }
    stored.remember(who)
    if (isFresh) onSession()
    return who
  }

  return {
    identity,
    subject(): ClientSubject {
      const { anon, user = `${anonType}:${anon}` } = identity()
      const at = user.indexOf(':')
      return { type: user.slice(0, at), id: user.slice(at + 1) }
    },
    /** The anonymous ref, when the person was not known to be this one yet. */
    identify(user: string): string | undefined {
      const me = identity()
      if (me.user === user) return undefined
      who = { ...me, user }
      stored.remember(who)
      return `${anonType}:${me.anon}`
    },
    forget() {
      who = undefined
      stored.forget()
    }
  }
}
