// Registers everything that the shell serves.
import type { Viewer } from '@keelson/sdk'
import {
  buildNav,
  localizePage,
  openShellFiles,
  prepareFiles,
  type ShellFiles
} from '@keelson/ui/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { answers } from '../http/answers.ts'
import { registerAssets } from './assets.ts'
import { createDocuments, type Documents } from './documents.ts'
import { registerEmbeds } from './embeds.ts'
import { createNotFound, isForPrograms } from './not-found.ts'
import type { ShellOptions, ShellPage } from './page.ts'
import { servePageErrors } from './page-errors.ts'
import { isBelow, trimmed } from './place.ts'
import { readerLanguage } from './reader-language.ts'
import { sendCompressed } from './send-compressed.ts'
import { findSignIn } from './sign-in.ts'

/** The shell of an app. */
export interface Shell {
  /** Gives their addresses to pages that have come since. Only while the app still takes routes. */
  placePages(): void
  /** Answers an unknown address: JSON for programs and API addresses, a page for people. */
  notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/**
 * Serves the shell: start page, sign-in, navigation, files, every page's address, and pages for other
 * admin UIs, each where `options.addresses` puts it. Call it once, after every plugin is registered,
 * with the instance that has them: documents leave addresses that the host or a plugin has already.
 *
 * Origins that embed pages are let in by `embedPolicy` (embeds.ts), which must be in force before the plugins.
 */
export async function registerShell(app: FastifyInstance, options: ShellOptions): Promise<Shell> {
  const { browserFolder: folder, isWatching, addresses } = options
  const files = openShellFiles({ folder, pages: () => options.pages(), isWatching })
  const signIn = findSignIn(app, options)
  const documents = createDocuments(options, files, signIn)
  const { shell, embed } = addresses
  await prepareFiles(app)
  if (embed !== undefined) registerEmbeds(app, files, { ...options, address: embed })
  const placePages =
    shell === undefined
      ? () => files.renew()
      : serveShell(app, { options, files, documents, start: shell })
  placePages()
  return { placePages, notFound: createNotFound(addresses, documents) }
}

interface ShellParts {
  readonly options: ShellOptions
  readonly files: ShellFiles
  readonly documents: Documents
  /** Address of the start page. */
  readonly start: string
}

/** Returns what gives addresses to the pages that are known when it is called. */
function serveShell(app: FastifyInstance, parts: ShellParts): () => void {
  const { options, documents, files, start } = parts
  const { signIn } = options.addresses
  const pages = () => options.pages()
  const assets = registerAssets(app, files, options.addresses)
  serveNav(app, parts)
  const { pageErrors } = options
  if (pageErrors !== undefined && options.addresses.pageErrors !== undefined) {
    servePageErrors(app, options.addresses.pageErrors, { ...options, pageErrors })
  }
  const { asked = {} } = options
  const get = (url: string, handler: RouteHandlerMethod): void => {
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, asked, handler)
  }
  const root = options.addresses.prefix || '/'
  // The base of these documents ends with a slash, and so do addresses that people copy from it.
  const withSlash = (url: string, handler: RouteHandlerMethod): void => {
    get(url, handler)
    if (url !== '/' && !ignoresSlashes(app)) get(`${url}/`, handler)
  }
  withSlash(start, (request, reply) => documents.show(request, reply, root))
  if (signIn !== undefined) withSlash(signIn, (request, reply) => documents.signIn(request, reply))
  const show =
    (mount: string): RouteHandlerMethod =>
    (request, reply) =>
      documents.show(request, reply, mount)
  // Below a page there may be an API, at an address of another plugin.
  const showBelow =
    (mount: string): RouteHandlerMethod =>
    (request, reply) =>
      isForPrograms(request) ? answers.notFound(reply) : documents.show(request, reply, mount)
  return () => {
    files.renew()
    const mounts = mountsOf(pages())
    for (const { path, apiBase } of pages()) {
      const mount = mounts.find((candidate) => candidate === trimmed(apiBase)) ?? root
      get(trimmed(path), show(mount))
      if (trimmed(path) !== trimmed(apiBase)) get(`${trimmed(path)}/*`, showBelow(mount))
    }
    for (const mount of mounts) {
      assets.serveBelow(mount)
      get(mount, show(mount))
      get(`${mount}/*`, showBelow(mount))
    }
  }
}

/** Such a router would take the second address for the first one again. */
const ignoresSlashes = ({
  initialConfig: { ignoreTrailingSlash, routerOptions }
}: FastifyInstance) => ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true

function serveNav(app: FastifyInstance, { options, files }: ShellParts): void {
  const { nav, modules } = options.addresses
  if (nav === undefined) return
  app.get(nav, options.asked ?? {}, async (request, reply) => {
    const viewer = await options.viewerOf(request)
    const language = readerLanguage(request, options.locale)
    reply
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept-language, accept-encoding')
    const routes = await options.routesFor(viewer)
    const counts = (await options.badgeCounts?.(viewer, routes)) ?? []
    const built = buildNav({
      title: viewer?.tenantName ?? options.title,
      pages: options.pages(language),
      viewer: viewer && withTenantName(viewer, language),
      routes,
      countOf: ({ plugin, nav: { badge } = {} }) =>
        counts.find((count) => count.plugin === plugin && count.badge === badge)?.count,
      prefix: options.addresses.prefix,
      moduleOf: ({ plugin, id }) => `${modules}/${files.moduleName(plugin, id)}`,
      settingsOf: (plugin) => options.publicConfig(plugin)
    })
    return sendCompressed(request, reply, built)
  })
}

/** What the shell calls the tenant of a viewer of the platform, where the host gives no name. */
const PLATFORM = { title: 'Platform', translations: { de: { title: 'Plattform' } } }

function withTenantName(viewer: Viewer, locale: string): Viewer {
  if (viewer.tenantId !== '*' || viewer.tenantName !== undefined) return viewer
  return { ...viewer, tenantName: localizePage(PLATFORM, locale).title }
}

/** Mounts that have pages below them; the root is not among them: it is everybody's. */
function mountsOf(pages: readonly ShellPage[]): readonly string[] {
  const mounts = pages.filter(({ path, apiBase }) => isBelow(path, apiBase))
  return [...new Set(mounts.map(({ apiBase }) => trimmed(apiBase)))]
}
