// The bands: who may call a route. Each guard is a hook that runs before the body is read.
import type { Clock, ManifestRoute, Viewer } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers } from '../http/answers.ts'
import { isOriginRight, type OriginRule } from './origin.ts'
import { addressKey, createRateLimit, type RateLimit } from './rate-limit.ts'
import { stateOf, type Viewers } from './viewer.ts'

/** A hook of the callback kind: it answers, or calls `done`. */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => void

export interface GuardOptions {
  readonly route: ManifestRoute
  readonly viewers: Viewers
  readonly originRule: OriginRule
  readonly clock: Clock
  /** Of a machine route: whoever calls, or null. */
  readonly verify?: ((request: FastifyRequest) => unknown) | undefined
  /** Of a bearer route: the preHandler that `oauth.protect/v1` made for its scopes. */
  readonly protect?: (() => unknown) | undefined
}

/** The guard of a route; undefined when anyone may call it as often as they like. */
export function createGuard(options: GuardOptions): Guard | undefined {
  const { route } = options
  const limit =
    route.rateLimit === undefined ? undefined : createRateLimit(route.rateLimit, options.clock)
  switch (route.auth) {
    case 'public':
      return limit && publicGuard(limit)
    case 'viewer':
    case 'admin':
      return viewerGuard(options, limit)
    case 'machine':
      return machineGuard(options, limit)
    case 'bearer':
      return bearerGuard(options, limit)
  }
}

/** Answers 429 when the key had its share; says whether it did. */
function isOver(limit: RateLimit | undefined, key: string, reply: FastifyReply): boolean {
  const seconds = limit?.take(key) ?? 0
  if (seconds > 0) answers.tooMany(reply, seconds)
  return seconds > 0
}

function publicGuard(limit: RateLimit): Guard {
  return (request, reply, done) => {
    if (!isOver(limit, addressKey(request.ip), reply)) done()
  }
}

function viewerGuard(options: GuardOptions, limit: RateLimit | undefined): Guard {
  const { viewers, originRule, route } = options
  const isAdminOnly = route.auth === 'admin'
  return (request, reply, done) => {
    if (!hasRightOrigin(originRule, request)) {
      answers.badOrigin(reply)
      return
    }
    viewers.ask(request, (error, viewer) => {
      if (error !== null) done(error)
      else if (isOver(limit, viewerKey(viewer, request), reply)) return
      else if (viewer === null) answers.unauthenticated(reply)
      else if (isAdminOnly && viewer.role !== 'admin') answers.forbidden(reply)
      else done()
    })
  }
}

function hasRightOrigin(rule: OriginRule, request: FastifyRequest): boolean {
  // Most requests carry no change; the check reads host and protocol, which cost a little.
  if (request.method === 'GET' || request.headers.cookie === undefined) return true
  return isOriginRight(rule, {
    method: request.method,
    protocol: request.protocol,
    host: request.host,
    origin: request.headers.origin,
    hasCookie: true
  })
}

/** A person counts by themselves; whoever is not proven counts by address. */
function viewerKey(viewer: Viewer | null, request: FastifyRequest): string {
  if (viewer?.viewerRef === undefined) return addressKey(request.ip)
  return `${viewer.tenantId} ${viewer.viewerRef}`
}

function machineGuard({ verify }: GuardOptions, limit: RateLimit | undefined): Guard {
  const settle = (found: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const isVerified = found !== null && found !== undefined && found !== false
    if (isVerified) stateOf(request).machine = found
    else answers.unauthenticated(reply)
    return isVerified
  }
  return (request, reply, done) => {
    if (isOver(limit, addressKey(request.ip), reply)) return
    const found = verify?.(request)
    if (!isThenable(found)) {
      if (settle(found, request, reply)) done()
      return
    }
    found.then((machine) => {
      if (settle(machine, request, reply)) done()
    }, done)
  }
}

type Protection = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => unknown

function bearerGuard({ protect }: GuardOptions, limit: RateLimit | undefined): Guard {
  return (request, reply, done) => {
    if (isOver(limit, addressKey(request.ip), reply)) return
    const protection = protect?.()
    if (typeof protection !== 'function') {
      answers.unauthenticated(reply)
      return
    }
    const isCallback = protection.length >= 3
    const running = (protection as Protection)(request, reply, done)
    if (isCallback) return
    Promise.resolve(running).then(() => {
      if (!reply.sent) done()
    }, done)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
