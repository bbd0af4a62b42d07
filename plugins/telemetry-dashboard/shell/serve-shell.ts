// Serves the standalone shell: every path outside /api is the app, below _assets are its files.
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { ASSETS, type AssetFolders, readAssets, type ShellAssets } from './assets.ts'
import { renderDocument, type ShellDocument } from './document.ts'

export interface ShellOptions {
  readonly mountPath: string
  readonly apiBase: string
  readonly title: string
  readonly folders: AssetFolders
}

/** Told to the operator of a fresh checkout. */
export const NOT_BUILT =
  'The dashboard has not been built. Run `npm run build`, then load this page again.\n'

interface Built {
  readonly assets: ShellAssets
  readonly document: ShellDocument
}

export function serveShell(options: ShellOptions): FastifyPluginAsync {
  return async (app) => {
    let built: Built | undefined
    // Looked for again until it is there, so that a build needs no new start of the host.
    const find = async (): Promise<Built | undefined> => {
      if (built !== undefined) return built
      const assets = await readAssets(options.folders)
      if (assets === undefined) return undefined
      built = { assets, document: renderDocument({ ...options, ...assets }) }
      return built
    }
    app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, async (request, reply) => {
      const asset = (await find())?.assets.files.get(request.params['*'])
      return asset === undefined
        ? plain(reply, 404, 'not found\n')
        : reply
            .header('cache-control', 'public, max-age=31536000, immutable')
            .header('x-content-type-options', 'nosniff')
            .type(asset.type)
            .send(asset.content)
    })
    for (const url of ['/', '/*']) {
      app.get(url, async (_request, reply) => {
        const found = await find()
        if (found === undefined) return plain(reply, 503, NOT_BUILT)
        return reply
          .header('cache-control', 'no-store')
          .header('content-security-policy', found.document.policy)
          .header('x-content-type-options', 'nosniff')
          .header('referrer-policy', 'same-origin')
          .type('text/html; charset=utf-8')
          .send(found.document.html)
      })
    }
  }
}

const plain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(text)
