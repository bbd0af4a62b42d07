// Sessions: a random token in a cookie, its hash in the database.
import { createHash, randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { type Person, personByRef, TENANT_NAMES } from './people.ts'

// Viewers are resolved for requests of every plugin: a cookie parser registered here would not see those.
const { parse, serialize } = fastifyCookie

const COOKIE = 'keelson_session'
const LIFETIME_SECONDS = 7 * 24 * 3600
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface SessionRow {
  /** SHA-256 of the token, base64url. */
  readonly _id: string
  readonly viewerRef: string
  /** When the password was given. */
  readonly startedAt: Date
  readonly expiresAt: Date
}

/** Who is signed in, and since when. */
export type SignedIn = Person & { readonly authTime: Date }

export interface Sessions {
  /**
   * Starts a session, which ends the one that the browser has, and returns the value of its Set-Cookie
   * header.
   */
  start(person: Person, browser: SignInBrowser): Promise<string>
  personOf(cookieHeader: string | undefined): Promise<SignedIn | undefined>
  /** Ends the session and returns the Set-Cookie header that forgets it. */
  end(cookieHeader: string | undefined): Promise<string>
}

export interface SignInBrowser {
  readonly cookieHeader: string | undefined
  /** The cookie is for https alone. */
  readonly isSecure: boolean
}

export function createSessions(rows: Collection<SessionRow>, clock: Clock): Sessions {
  const endOf = async (cookieHeader: string | undefined): Promise<void> => {
    const token = tokenOf(cookieHeader)
    if (token !== undefined) await rows.deleteOne({ _id: hashOf(token) })
  }
  return {
    async start(person, { cookieHeader, isSecure }) {
      await endOf(cookieHeader)
      const token = randomBytes(32).toString('base64url')
      const startedAt = clock.now()
      const expiresAt = new Date(startedAt.getTime() + LIFETIME_SECONDS * 1000)
      const { viewerRef } = person
      await rows.insertOne({ _id: hashOf(token), viewerRef, startedAt, expiresAt })
      return cookieOf(token, LIFETIME_SECONDS, isSecure)
    },
    async personOf(cookieHeader) {
      const token = tokenOf(cookieHeader)
      if (token === undefined) return undefined
      const row = await rows.findOne({ _id: hashOf(token) })
      if (row === null || row.expiresAt <= clock.now()) return undefined
      const person = personByRef(row.viewerRef)
      if (person === undefined) return undefined
      const tenantName = TENANT_NAMES[person.tenantId]
      return { ...person, ...(tenantName && { tenantName }), authTime: row.startedAt }
    },
    async end(cookieHeader) {
      await endOf(cookieHeader)
      return cookieOf('', 0, false)
    }
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

function cookieOf(token: string, maxAge: number, secure: boolean): string {
  return serialize(COOKIE, token, { path: '/', maxAge, httpOnly: true, sameSite: 'lax', secure })
}

/** The session token in a Cookie header, if it has the right form. */
function tokenOf(cookieHeader: string | undefined): string | undefined {
  const token = parse(cookieHeader ?? '')[COOKIE]
  return token !== undefined && TOKEN.test(token) ? token : undefined
}
