// Immutable files: those of @keelson/ui under each mount, and the modules of the pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile, ShellFiles } from './files.ts'
import { ASSETS } from './import-map.ts'
import { IMMUTABLE, sendFile } from './send-file.ts'
import type { ShellPage } from './shell.ts'

/** Where the modules of pages are served. */
export const MODULES = '/shell/assets'

export interface AssetRoutesOptions {
  readonly files: ShellFiles
  /** Mounts that documents are served for, `/` among them. */
  readonly mounts: readonly string[]
  pages(): readonly ShellPage[]
}

export function registerAssets(app: FastifyInstance, options: AssetRoutesOptions): void {
  const { files, mounts } = options
  const answer = (request: FastifyRequest, reply: FastifyReply, file: ServedFile | undefined) =>
    file === undefined
      ? reply.code(404).send({ error: 'not_found' })
      : sendFile(request, reply, file, IMMUTABLE)
  for (const mount of mounts) {
    app.get(`${mount === '/' ? '' : mount}/${ASSETS}/*`, (request, reply) =>
      answer(request, reply, files.asset(starOf(request)))
    )
  }
  app.get(`${MODULES}/*`, (request, reply) => {
    const name = starOf(request)
    const page = options.pages().find((candidate) => files.moduleName(candidate) === name)
    return answer(request, reply, page === undefined ? undefined : files.module(page))
  })
}

const starOf = (request: FastifyRequest): string => (request.params as { '*': string })['*']
