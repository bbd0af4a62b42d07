// Immutable files: those of @keelson/ui under each mount, and the modules of the pages.
import { ASSETS, type ShellFiles, sendImmutable, sendMissing } from '@keelson/ui/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { below, type KernelAddresses } from '../platform/kernel-addresses.ts'

export interface AssetRoutes {
  /** Serves the files of @keelson/ui below a mount that documents are served for. */
  serveBelow(mount: string): void
}

/** `app` is an instance that `prepareFiles` has prepared. */
export function registerAssets(
  app: FastifyInstance,
  files: ShellFiles,
  { assets, modules, hasOwnAssets }: KernelAddresses
): AssetRoutes {
  const serve = (url: string, pathOf: (name: string) => string | undefined): void => {
    if (app.hasRoute({ method: 'GET', url })) return
    app.get(url, (request, reply) => answer(reply, pathOf(starOf(request))))
  }
  const serveBelow = (mount: string): void => {
    if (!hasOwnAssets) serve(`${below(mount, `/${ASSETS}`)}/*`, files.asset)
  }
  if (assets !== undefined) serve(`${assets}/*`, files.asset)
  if (modules !== undefined) serve(`${modules}/*`, files.module)
  return { serveBelow }
}

const answer = (reply: FastifyReply, path: string | undefined): FastifyReply =>
  path === undefined ? sendMissing(reply) : sendImmutable(reply, path)

const starOf = (request: FastifyRequest): string => (request.params as { '*': string })['*']
