// The rate limits of the platform: those of host.limit, and the declared ones through @fastify/rate-limit.
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import {
  type Clock,
  createLimiter,
  type Limit,
  type Limiter,
  type LimitOptions,
  type StoredLimit
} from '@keelson/sdk'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import Fastify, { type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'

/** Counts a request: 0 when it may go on, else the seconds until it may come again. */
export type RouteLimit = (request: FastifyRequest) => Promise<number>

export interface RouteLimitOptions extends LimitOptions {
  /** The declared route, as `GET /items`. */
  readonly route: string
  /** Who calls; nothing that a caller can choose. */
  readonly keyOf: (request: FastifyRequest) => string
}

/** The limits that plugins ask for by name. */
export interface PluginLimits {
  /** A limit of a plugin. */
  limit(plugin: string, name: string, options: LimitOptions): Limit
  /** Makes the TTL index when there are limits. */
  prepare(): Promise<void>
}

export interface PlatformLimits extends PluginLimits {
  ofRoute(options: RouteLimitOptions): RouteLimit
}

interface LimitSeams {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** Opens the limits of plugins. Nothing is read or written before `prepare` and the first call. */
export function openPluginLimits(db: Db, seams: LimitSeams): PluginLimits {
  const { limit, prepare } = openCounters(db, seams)
  return { limit: (plugin, name, options) => limit(`${plugin}/${name}`, options), prepare }
}

/** The same with the declared limits of routes. */
export async function openLimits(db: Db, seams: LimitSeams): Promise<PlatformLimits> {
  const { limit, prepare } = openCounters(db, seams)
  // On a separate app: a host that has registered the plugin, too, would give us its decorators.
  const carrier = Fastify()
  await carrier.register(rateLimit, { global: false, store: storeOn(limit) })
  await carrier.ready()
  return {
    limit: (plugin, name, options) => limit(`${plugin}/${name}`, options),
    prepare,
    ofRoute({ route, keyOf, max, windowSeconds }) {
      const count = carrier.createRateLimit({
        max,
        timeWindow: windowSeconds * 1000,
        keyGenerator: (request) => `${route} ${keyOf(request)}`
      })
      return async (request) => {
        const counted = await count(request)
        return !counted.isAllowed && counted.isExceeded ? counted.ttlInSeconds : 0
      }
    }
  }
}

/** The counters of all limits, in one collection. */
function openCounters(db: Db, { clock, log }: LimitSeams) {
  const onAway = (error: unknown) =>
    log.warn({ err: error }, 'rate limits are counted by this process alone')
  const rows = () => db.collection<StoredLimit>(`${KERNEL_PREFIX}limits`)
  let limiter: Limiter | undefined
  const limit = (name: string, options: LimitOptions) => {
    limiter ??= createLimiter({ collection: rows(), clock, onAway })
    return limiter.limit(name, options)
  }
  return {
    limit,
    async prepare() {
      if (limiter === undefined) return
      try {
        await rows().createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
      } catch (error) {
        log.warn(
          { err: error },
          'old rows of the rate limits are not removed: their index is missing'
        )
      }
    }
  }
}

/** The store that @fastify/rate-limit counts in: one limit for each length of a window. */
function storeOn(limit: (name: string, options: LimitOptions) => Limit) {
  return class SharedStore implements FastifyRateLimitStore {
    #limit: Limit | undefined

    incr(...[key, callback, timeWindow, max]: Parameters<FastifyRateLimitStore['incr']>): void {
      this.#limit ??= limit('route', { max, windowSeconds: timeWindow / 1000 })
      this.#limit.take(key, { max }).then(({ granted, remaining, retryAfterSeconds }) => {
        const current = granted === 0 ? max + 1 : max - remaining
        callback(null, { current, ttl: retryAfterSeconds * 1000 })
      }, callback)
    }

    child(): FastifyRateLimitStore {
      return new SharedStore()
    }
  }
}
