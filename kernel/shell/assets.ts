// Immutable files: those of @keelson/ui under each mount, and the modules of the pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile, ShellFiles } from './files.ts'
import { ASSETS } from './import-map.ts'
import type { ShellPage } from './page.ts'
import { IMMUTABLE, sendFile } from './send-file.ts'

/** Where the modules of pages are served. */
export const MODULES = '/shell/assets'

export interface AssetRoutesOptions {
  readonly files: ShellFiles
  pages(): readonly ShellPage[]
}

export interface AssetRoutes {
  /** Serves the files of @keelson/ui below a mount that documents are served for. */
  serveBelow(mount: string): void
}

export function registerAssets(app: FastifyInstance, options: AssetRoutesOptions): AssetRoutes {
  const { files } = options
  const answer = (request: FastifyRequest, reply: FastifyReply, file: ServedFile | undefined) =>
    file === undefined
      ? reply.code(404).send({ error: 'not_found' })
      : sendFile(request, reply, file, IMMUTABLE)
  const serveBelow = (mount: string): void => {
    const url = `${mount === '/' ? '' : mount}/${ASSETS}/*`
    if (app.hasRoute({ method: 'GET', url })) return
    app.get(url, (request, reply) => answer(request, reply, files.asset(starOf(request))))
  }
  serveBelow('/')
  app.get(`${MODULES}/*`, (request, reply) => {
    const name = starOf(request)
    const page = options.pages().find((candidate) => files.moduleName(candidate) === name)
    return answer(request, reply, page === undefined ? undefined : files.module(page))
  })
  return { serveBelow }
}

const starOf = (request: FastifyRequest): string => (request.params as { '*': string })['*']
