// The rate limits of the protocol, counted by the limiter of the host or by a store that its code gives.
import type { Host, Limit as SharedLimit } from '@keelson/sdk'
import type { RateLimitStore } from '../config/host-code.ts'
import type { Limit, Settings } from '../config/settings.ts'
import { OAuthError } from '../oauth-errors.ts'

export type Bucket =
  | 'token'
  | 'introspect'
  | 'people'
  | 'authorize'
  | 'consent'
  | 'metadata-address'
  | 'metadata-id'
  | 'register'
  | 'register-all'
  | 'grant'
  | 'device'
  | 'scim'

export interface Limiter {
  /** Counts one. @throws too_many_requests with `Retry-After` */
  take(bucket: Bucket, key: string): Promise<void>
  /** Gives one back that must not count for this key. */
  giveBack(bucket: Bucket, key: string): void
}

/** Fetches of unknown client documents that failed, per address of the caller. */
const METADATA_OF_ADDRESS: Limit = { max: 30, windowMs: 60_000 }
/** Fetches of one document or key set. */
const METADATA_OF_ID: Limit = { max: 10, windowMs: 60_000 }

/** Of an authenticated client: a resource server introspects the token of every call, a vendor's cloud acts for all its people. */
const hundredfold = (token: Limit | false): Limit | false =>
  token === false ? false : { ...token, max: token.max * 100 }

/** Typed codes of one address: a code has 34 bits and lives ten minutes. */
const USER_CODES: Limit = { max: 20, windowMs: 60_000 }
const HOUR_MS = 3_600_000
/** So many times the open registrations of one address are open to all together. */
const REGISTER_ALL = 25

const perHour = ({ registration }: Settings, times: number): Limit | false =>
  registration === undefined ? false : { max: registration.perHour * times, windowMs: HOUR_MS }

/** While the database does not answer, each process counts alone. */
export function createLimiter(settings: Settings, shared: Host['limit']): Limiter {
  const { rateLimits, now } = settings
  const limitOf = (bucket: Bucket, limit: Limit | false): SharedLimit | undefined => {
    if (limit === false) return undefined
    const { max, windowMs } = limit
    const counted = shared(bucket, { max, windowSeconds: windowMs / 1000 })
    const { store } = rateLimits
    return store === undefined
      ? counted
      : storedLimit(store, bucket, limit, { fallback: counted, now })
  }
  const limits: Readonly<Record<Bucket, SharedLimit | undefined>> = {
    token: limitOf('token', rateLimits.token),
    introspect: limitOf('introspect', hundredfold(rateLimits.token)),
    people: limitOf('people', hundredfold(rateLimits.token)),
    authorize: limitOf('authorize', rateLimits.authorize),
    consent: limitOf('consent', rateLimits.consent),
    'metadata-address': limitOf('metadata-address', METADATA_OF_ADDRESS),
    'metadata-id': limitOf('metadata-id', METADATA_OF_ID),
    register: limitOf('register', perHour(settings, 1)),
    'register-all': limitOf('register-all', perHour(settings, REGISTER_ALL)),
    // Of a public client: many people may use it from one address.
    grant: limitOf('grant', rateLimits.token),
    device: limitOf('device', USER_CODES),
    scim: limitOf(
      'scim',
      settings.scim !== undefined && { max: settings.scim.perMinute, windowMs: 60_000 }
    )
  }
  return {
    async take(bucket, key) {
      const taken = await limits[bucket]?.take(key)
      if (taken?.granted === 0) throw tooMany(taken.retryAfterSeconds)
    },
    giveBack: (bucket, key) => limits[bucket]?.giveBack(key)
  }
}

/** A limit that the host's store counts; the database counts while the store fails. */
function storedLimit(
  store: RateLimitStore,
  bucket: Bucket,
  { max, windowMs }: Limit,
  { fallback, now }: { readonly fallback: SharedLimit; readonly now: () => Date }
): SharedLimit {
  return {
    async take(key) {
      try {
        const { count, resetAt } = await store.hit(`${bucket} ${key}`, windowMs)
        return {
          granted: count <= max ? 1 : 0,
          remaining: Math.max(0, max - count),
          retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - now().getTime()) / 1000))
        }
      } catch {
        return fallback.take(key)
      }
    },
    giveBack() {}
  }
}

function tooMany(seconds: number): OAuthError {
  return new OAuthError(429, 'too_many_requests', 'Too many requests: try again later.', {
    headers: { 'retry-after': String(seconds) }
  })
}
