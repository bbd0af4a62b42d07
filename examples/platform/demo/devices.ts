// Browsers that signed in before: a random token in a cookie, its hash with the accounts in the database.
import { createHash, randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { SignInBrowser } from './sessions.ts'

// As for sessions: a cookie parser registered here would not see the requests of other plugins.
const { parse, serialize } = fastifyCookie

const COOKIE = 'keelson_device'
const LIFETIME_SECONDS = 90 * 24 * 3600
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** Accounts that one browser is known for: the newest. */
const MOST_ACCOUNTS = 10

export interface DeviceRow {
  /** SHA-256 of the token, base64url. */
  readonly _id: string
  /** As `accountOf` makes them. */
  readonly accounts: readonly string[]
  readonly expiresAt: Date
}

export interface Devices {
  /** What guesses of this browser are counted by; undefined when no sign-in to the account was made there. */
  knownFor(account: string, cookieHeader: string | undefined): Promise<string | undefined>
  /** After a right password. Returns the value of the Set-Cookie header. */
  remember(account: string, browser: SignInBrowser): Promise<string>
}

export function createDevices(rows: Collection<DeviceRow>, clock: Clock): Devices {
  const find = async (cookieHeader: string | undefined) => {
    const token = parse(cookieHeader ?? '')[COOKIE]
    if (token === undefined || !TOKEN.test(token)) return undefined
    const row = await rows.findOne({ _id: hashOf(token) })
    return row === null || row.expiresAt <= clock.now() ? undefined : { token, row }
  }
  return {
    async knownFor(account, cookieHeader) {
      const found = await find(cookieHeader)
      return found?.row.accounts.includes(account) === true ? found.row._id : undefined
    },
    async remember(account, { cookieHeader, isSecure }) {
      // Only a token that was made here is kept: another site of the domain can set cookies too.
      const found = await find(cookieHeader)
      const token = found?.token ?? randomBytes(32).toString('base64url')
      const others = found?.row.accounts.filter((one) => one !== account) ?? []
      const accounts = [...others, account].slice(-MOST_ACCOUNTS)
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_SECONDS * 1000)
      await rows.updateOne(
        { _id: hashOf(token) },
        { $set: { accounts, expiresAt } },
        { upsert: true }
      )
      const how = { path: '/login', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
      return serialize(COOKIE, token, { ...how, maxAge: LIFETIME_SECONDS })
    }
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
