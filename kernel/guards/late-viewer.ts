// When the viewer is asked for, the same in guards and in the shell, and a warning for a sign-in that comes later.
import type { Viewer } from '@keelson/sdk'
import type { FastifyBaseLogger, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { errors } from '../errors/errors.ts'
import type { ResolveViewer, Viewers } from './viewer.ts'

/** Options of a route without a guard whose handler asks for the viewer: asked when guards ask. */
export function askedWithGuards(
  viewers: Viewers,
  isLate: boolean
): Pick<RouteShorthandOptions, 'onRequest' | 'preValidation'> {
  const hook = async (request: FastifyRequest) => void (await viewers.of(request))
  return isLate ? { preValidation: hook } : { onRequest: hook }
}

/**
 * Returns the viewer, and warns once when there is none although `resolve` now finds one: the sign-in of the host
 * comes after the guards, so every call of the API would be refused.
 */
export function createLateCheck(
  viewers: Viewers,
  { resolve, log }: { readonly resolve: ResolveViewer | undefined; readonly log: FastifyBaseLogger }
): (request: FastifyRequest) => Promise<Viewer | null> {
  let isReported = resolve === undefined
  return async (request) => {
    const viewer = await viewers.of(request)
    if (viewer !== null || isReported || !hasCredentials(request)) return viewer
    const later = await resolve?.(request)
    if (later !== null && later !== undefined && !isReported) {
      isReported = true
      const error = errors.KRN_VIEWER_LATE()
      log.warn({ code: error.code }, error.message)
    }
    return viewer
  }
}

const hasCredentials = ({ headers }: FastifyRequest): boolean =>
  headers.cookie !== undefined || headers.authorization !== undefined
