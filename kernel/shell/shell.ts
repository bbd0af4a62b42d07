// Registers everything that the shell serves.
import { buildNav, openShellFiles, prepareFiles } from '@keelson/ui/server'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { MODULES, registerAssets } from './assets.ts'
import { createDocuments } from './documents.ts'
import { registerEmbeds } from './embeds.ts'
import { answerNotFound } from './not-found.ts'
import type { ShellOptions, ShellPage } from './page.ts'
import { isBelow, trimmed } from './place.ts'

/** The shell of an app. */
export interface Shell {
  /** Gives their addresses to pages that have come since. Only while the app still takes routes. */
  placePages(): void
}

/**
 * Serves the shell: `/`, `/login`, `/shell/*`, `/embed/*`, every page's address, and HTML for
 * addresses that are not there. Call it once, after every plugin is registered, with the instance
 * that has them: addresses that someone else has already are left to them. It sets the not-found
 * handler: JSON for programs and API addresses, a page for people.
 *
 * Origins that embed pages are let in by `allowEmbedOrigins` (embeds.ts), which must come before
 * the plugins.
 */
export async function registerShell(app: FastifyInstance, options: ShellOptions): Promise<Shell> {
  const pages = () => options.pages()
  const { browserFolder: folder, isWatching } = options
  const files = openShellFiles({ folder, pages, isWatching })
  const documents = createDocuments(options, files)
  await prepareFiles(app)
  const assets = registerAssets(app, files)
  registerEmbeds(app, files)
  app.get('/shell/nav', async (request, reply) => {
    const viewer = await options.viewerOf(request)
    reply.header('cache-control', 'no-store').header('vary', 'cookie')
    return buildNav({
      title: options.title,
      pages: pages(),
      viewer,
      routes: options.routesFor(viewer),
      moduleOf: ({ plugin, id }) => `${MODULES}/${files.moduleName(plugin, id)}`,
      settingsOf: (plugin) => options.publicConfig(plugin)
    })
  })
  const get = (url: string, handler: RouteHandlerMethod): void => {
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, handler)
  }
  get('/', (request, reply) => documents.show(request, reply, '/'))
  get('/login', (_request, reply) => documents.signIn(reply))
  const show =
    (mount: string): RouteHandlerMethod =>
    (request, reply) =>
      documents.show(request, reply, mount)
  const placePages = (): void => {
    files.renew()
    const mounts = mountsOf(pages())
    for (const { path, apiBase } of pages()) {
      const mount = mounts.find((candidate) => candidate === trimmed(apiBase)) ?? '/'
      get(trimmed(path), show(mount))
      if (trimmed(path) !== trimmed(apiBase)) get(`${trimmed(path)}/*`, show(mount))
    }
    for (const mount of mounts) {
      assets.serveBelow(mount)
      get(mount, show(mount))
      get(`${mount}/*`, show(mount))
    }
  }
  placePages()
  if (options.answersNotFound ?? true) {
    app.setNotFoundHandler((request, reply) => answerNotFound(request, reply, documents))
  }
  return { placePages }
}

/** Mounts that have pages below them; the root is not among them: it is everybody's. */
function mountsOf(pages: readonly ShellPage[]): readonly string[] {
  const mounts = pages.filter(({ path, apiBase }) => isBelow(path, apiBase))
  return [...new Set(mounts.map(({ apiBase }) => trimmed(apiBase)))]
}
