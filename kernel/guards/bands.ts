// The bands: who may call a route. Each guard is a hook that runs before the body is read.
import {
  addressKey,
  isOriginRight,
  isRefusal,
  type ManifestRoute,
  type OriginRule,
  TOKEN_SCHEME,
  type Viewer
} from '@keelson/sdk'
import type { EmbedGrants } from '@keelson/sdk/contracts/embed-grants'
import { accessOf, type Protection } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers } from '../http/answers.ts'
import type { Admission } from './admission.ts'
import { asksWhatIsShared, embedTokenOf, opensRoute } from './embed-token.ts'
import type { PlatformLimits, RouteLimit } from './limits.ts'
import { stateOf, type Viewers } from './viewer.ts'

/** A hook of the callback kind: it answers, or calls `done`. */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => void

export interface GuardOptions {
  readonly route: ManifestRoute
  /** The route's method and whole address. */
  readonly key: string
  readonly viewers: Viewers
  readonly originRule: OriginRule
  readonly limits: Pick<PlatformLimits, 'ofRoute'>
  /** Of a machine route: reads the credentials of a request. */
  readonly verify?: ((request: FastifyRequest) => unknown) | undefined
  /** Of a bearer route, and of a viewer or admin route that names scopes: the preHandler of `oauth.protect/v1`. */
  readonly protect?: ((request: FastifyRequest) => Protection | undefined) | undefined
  /** Of a viewer or admin route that names scopes: the viewer behind an access token. */
  readonly viewerOf?: ((userId: string) => Promise<Viewer | null>) | undefined
  /** Of a viewer or admin route: what tokens of embeds may read; undefined without a plugin that gives them. */
  readonly embeds?: (() => EmbedGrants | undefined) | undefined
  /** Of a viewer or admin route: which of its band it admits. */
  readonly admits?: Admission | undefined
  /** Of a bearer route: its scopes depend on the parsed request. */
  readonly isProtectedLate?: boolean
  /** Of a viewer or admin route: the host's sign-in restores its session in a hook after `onRequest`. */
  readonly isViewerLate?: boolean
}

/** The guard of a route; undefined when anyone may call it as often as they like. */
export function createGuard(options: GuardOptions): Guard | undefined {
  const { route } = options
  switch (route.auth) {
    case 'public': {
      const limit = limitOf(options, addressOf)
      return limit && publicGuard(limit)
    }
    case 'viewer':
    case 'admin':
      return viewerGuard(options, limitOf(options, viewerKey))
    case 'machine':
      return machineGuard(options, limitOf(options, addressOf))
    case 'bearer': {
      const limit = limitOf(options, addressOf)
      if (options.isProtectedLate === true) return limit && publicGuard(limit)
      return bearerGuard(options, limit)
    }
  }
}

/** The guard that runs once the body was parsed, where one must. */
export function createLateGuard(options: GuardOptions): Guard | undefined {
  const { route, isProtectedLate, isViewerLate } = options
  if (isProtectedLate === true) return bearerGuard(options, undefined)
  if (isViewerLate !== true || (route.auth !== 'viewer' && route.auth !== 'admin')) return undefined
  const identify = identifier(options, limitOf(options, viewerKey))
  return (request, reply, done) => {
    // An access token has been answered before.
    if (stateOf(request).isAdmitted) done()
    else identify(request, reply, done)
  }
}

function limitOf(
  { route: { rateLimit }, key, limits }: GuardOptions,
  keyOf: (request: FastifyRequest) => string
): RouteLimit | undefined {
  return rateLimit && limits.ofRoute({ ...rateLimit, route: key, keyOf })
}

const addressOf = (request: FastifyRequest): string => addressKey(request.ip)

/** Calls `next` when the caller has something left of the limit, else answers 429. */
function underLimit(
  limit: RouteLimit | undefined,
  [request, reply, done]: Parameters<Guard>,
  next: () => void
): void {
  if (limit === undefined) {
    next()
    return
  }
  limit(request)
    .then((seconds) => {
      if (seconds > 0) answers.tooMany(reply, seconds)
      else next()
    })
    .catch(done)
}

function publicGuard(limit: RouteLimit): Guard {
  return (request, reply, done) => underLimit(limit, [request, reply, done], done)
}

function viewerGuard(options: GuardOptions, limit: RouteLimit | undefined): Guard {
  const { originRule, protect, isViewerLate, embeds } = options
  const identify = identifier(options, limit)
  return (request, reply, done) => {
    const embedToken = embedTokenOf(request)
    const grants = embedToken === undefined ? undefined : embeds?.()
    const protection = protect?.(request)
    if (embedToken !== undefined && grants !== undefined) {
      embedViewer(options, grants.grantOf(embedToken), [request, reply, done], limit)
    } else if (protection !== undefined && TOKEN_SCHEME.test(request.headers.authorization ?? '')) {
      tokenViewer(options, protection, [request, reply, done], limit)
    } else if (request.headers.cookie !== undefined && !isOriginRight(originRule, request)) {
      answers.badOrigin(reply)
    } else if (isViewerLate === true) done()
    else identify(request, reply, done)
  }
}

/** Asks who the viewer is, and lets in whom the route admits. */
function identifier(options: GuardOptions, limit: RouteLimit | undefined): Guard {
  const { viewers, originRule, protect } = options
  return (request, reply, done) => {
    const isRight = isOriginRight(originRule, request)
    viewers.ask(request, (error, viewer) => {
      if (error !== null) done(error)
      else {
        underLimit(limit, [request, reply, done], () => {
          // An anonymous caller gets the challenge, from any origin.
          if (viewer === null) unauthenticated(reply, protect?.(request))
          else if (!isRight) answers.badOrigin(reply)
          else admit(options, viewer, [request, reply, done])
        })
      }
    })
  }
}

/** Lets in whom the route admits, however they are known; the answer may take a look-up. */
function admit(
  { route, admits }: Pick<GuardOptions, 'route' | 'admits'>,
  viewer: Viewer,
  [, reply, done]: Parameters<Guard>
): void {
  if (route.auth === 'admin' && viewer.role !== 'admin') {
    answers.forbidden(reply)
    return
  }
  const settle = (isAdmitted: boolean) => {
    if (isAdmitted) done()
    else answers.forbidden(reply)
  }
  const answer = admits?.(viewer) ?? true
  if (typeof answer === 'boolean') settle(answer)
  else answer.then(settle, done)
}

function unauthenticated(reply: FastifyReply, protection: Protection | undefined): void {
  const { challenge } = protection ?? {}
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  answers.unauthenticated(reply)
}

/** A viewer by access token: the person who granted it, as the sign-in plugin knows them now. */
function tokenViewer(
  { viewerOf, route, admits }: GuardOptions,
  protection: Protection,
  [request, reply, done]: Parameters<Guard>,
  limit: RouteLimit | undefined
): void {
  const enter = async (): Promise<void> => {
    await protection(request, reply)
    if (reply.sent) return
    const access = accessOf(request)
    const viewer = access === undefined ? null : ((await viewerOf?.(access.userId)) ?? null)
    if (viewer === null) {
      if (protection.refuseGone === undefined) unauthenticated(reply, protection)
      else protection.refuseGone(request, reply)
      return
    }
    Object.assign(stateOf(request), { viewer, isKnown: true, isAdmitted: true })
    const call: Parameters<Guard> = [request, reply, done]
    underLimit(limit, call, () => admit({ route, admits }, viewer, call))
  }
  enter().catch(done)
}

/** A viewer by the token of an embed. Cookies of the request count for nothing. */
function embedViewer(
  { route, admits }: GuardOptions,
  found: ReturnType<EmbedGrants['grantOf']>,
  [request, reply, done]: Parameters<Guard>,
  limit: RouteLimit | undefined
): void {
  const enter = async (): Promise<void> => {
    const grant = await found
    if (grant === null) answers.unauthenticated(reply)
    else if (!opensRoute(grant, route) || !asksWhatIsShared(grant, request.query)) {
      answers.forbidden(reply)
    } else {
      Object.assign(stateOf(request), { viewer: grant.viewer, isKnown: true, isAdmitted: true })
      const call: Parameters<Guard> = [request, reply, done]
      underLimit(limit, call, () => admit({ route, admits }, grant.viewer, call))
    }
  }
  enter().catch(done)
}

/** A signed-in person counts by themselves, everyone else by address. */
function viewerKey(request: FastifyRequest): string {
  const { viewer } = stateOf(request)
  if (viewer?.viewerRef === undefined) return addressKey(request.ip)
  return `${viewer.tenantId} ${viewer.viewerRef}`
}

/** Schemes whose credentials a browser sends on its own once a person has entered them. */
const BROWSER_SCHEME = /^(basic|digest|negotiate|ntlm) /i

function machineGuard({ verify, originRule }: GuardOptions, limit: RouteLimit | undefined): Guard {
  const settle = (found: unknown, [request, reply, done]: Parameters<Guard>) => {
    const isVerified = found !== null && found !== undefined && found !== false
    if (isRefusal(found)) answers.refusal(reply, found)
    else if (!isVerified) answers.unauthenticated(reply)
    else {
      stateOf(request).machine = found
      done()
    }
  }
  return (...call) => {
    const [request, reply, done] = call
    const isBrowserSigned = BROWSER_SCHEME.test(request.headers.authorization ?? '')
    if (isBrowserSigned && !isOriginRight(originRule, request)) {
      answers.badOrigin(reply)
      return
    }
    underLimit(limit, call, () => {
      const found = verify?.(request)
      if (isThenable(found)) found.then((machine) => settle(machine, call), done)
      else settle(found, call)
    })
  }
}

function bearerGuard({ protect }: GuardOptions, limit: RouteLimit | undefined): Guard {
  return (...call) => {
    const [request, reply, done] = call
    underLimit(limit, call, () => {
      const protection = protect?.(request)
      if (typeof protection !== 'function') {
        answers.unauthenticated(reply)
        return
      }
      const running: unknown = protection(request, reply)
      // Without a promise there is no way to know when it has decided.
      if (!isThenable(running)) {
        answers.unauthenticated(reply)
        return
      }
      running.then(() => {
        if (!reply.sent) done()
      }, done)
    })
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
