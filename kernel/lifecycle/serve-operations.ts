// Operations on a host: registered where the manifest declares them, with who calls as the guard has found out.
import {
  type Actor,
  actorOfViewer,
  isFromThisMachine,
  isOriginRight,
  type Operation,
  type OriginRule,
  operationRoutes,
  originOf
} from '@keelson/sdk'
import { accessOf, actorNameOf } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayOf, type PermissionBook } from '../guards/admission.ts'
import { stateOf, type Viewers, viewerOfPublic } from '../guards/viewer.ts'
import { addressAt } from '../platform/addresses.ts'
import { keepBadges } from './badge-counts.ts'
import type { RunningPlugin } from './running-plugin.ts'

interface ServeSeams {
  readonly permissions: PermissionBook
  readonly viewers: Viewers
  readonly originRule: OriginRule
  /** The address that browsers use, when the config gives one. */
  readonly publicUrl: string | undefined
  readonly mountPrefix: string
}

/**
 * Registers the operations that the plugin has asked to serve: below its mount, or at their absolute address.
 * Fastify adds a scope to the one that it is loading, so this is called in the root scope of the plugin.
 */
export function registerOperations(
  root: FastifyInstance,
  running: RunningPlugin,
  { permissions, viewers, originRule, publicUrl, mountPrefix }: ServeSeams
): void {
  const { plugin, stop, served } = running
  const operations = served.splice(0)
  if (operations.length === 0) return
  keepBadges(running, operations)
  const options = {
    closing: stop.signal,
    actorOf: (request: FastifyRequest) => requestActor(request, isLocal(request)),
    may: async (request: FastifyRequest, permission: string) => {
      const { viewer } = stateOf(request)
      return viewer !== null && (await mayOf(permissions, permission)(viewer))
    }
  }
  const isLocal = (request: FastifyRequest) =>
    isFromThisMachine(request, publicUrl) && isOriginRight(originRule, request)
  const urlOf = ({ base, path }: Operation<never>): string =>
    base === undefined ? mountPrefix + path : addressAt(plugin.prefix, base + path)
  // No guard has asked who calls a public operation, which answers some callers differently.
  const asked = {
    refusal: async (request: FastifyRequest) =>
      void (await viewerOfPublic({ viewers, originRule }, request))
  }
  root.register(
    operationRoutes(operations, (operation) => ({
      ...options,
      ...(operation.access.auth === 'public' && asked),
      url: urlOf(operation)
    }))
  )
}

/** Who makes a request: the viewer, or a caller who is not signed in. */
function requestActor(request: FastifyRequest, isLocal: boolean): Actor {
  const { viewer } = stateOf(request)
  const access = viewer === null ? undefined : accessOf(request)
  return {
    ...actorOfViewer(viewer, access === undefined ? 'session' : 'token'),
    ...(access !== undefined && { name: actorNameOf(access) }),
    ...originOf(request),
    ...(isLocal && { isLocal: true as const })
  }
}
