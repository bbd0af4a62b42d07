// The shell of plugins' pages on an app without the kernel: every path is the shell, its files are beside it.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Nav } from '../shell/nav.ts'
import type { UiManifest } from '../ui-manifest.ts'
import { buildNav, type PlacedPage } from './build-nav.ts'
import { ASSETS, documentTemplate, importMap } from './document.ts'
import { localizePage, type PageWords } from './localize-page.ts'
import { contentPolicy, documentHeaders } from './policy.ts'
import { prepareFiles, sendImmutable, sendMissing } from './send-file.ts'
import { openShellFiles, type PageFiles, type ShellFiles } from './shell-files.ts'

/** A shell with the pages of a plugin, and of those beside it. */
export interface StandaloneShellOptions {
  /** The path at which the browser sees the shell, without a slash at its end; empty for the root. */
  readonly mountPath: string
  /** Where the browser finds the plugin's routes, when that is not `mountPath`: a path or an address. */
  readonly apiBase?: string | undefined
  /** Above the navigation and in window titles. */
  readonly title: string
  /** BCP 47. Default `en`. */
  readonly locale?: string | undefined
  /** Of all dates: `UTC` (default), or an IANA name. */
  readonly timeZone?: string | undefined
  /** The plugin's folder: the one with `plugin.json`, whose pages are shown. */
  readonly folder: string
  /** Folders of plugins whose pages are shown, too. */
  readonly moreFolders?: readonly string[] | undefined
  /** What pages with an address of their own (`at`) are below. Default: nothing. */
  readonly prefix?: string | undefined
  /** Where the browser files of @keelson/ui are. Default: in the installed package. */
  readonly browserFolder?: string | undefined
}

/** The part of `plugin.json` that the shell reads. */
interface PageManifest {
  readonly id: string
  readonly pages?: readonly (Pick<PlacedPage, 'id' | 'title' | 'element' | 'role' | 'nav'> & {
    /** Relative to the folder. */
    readonly module: string
    readonly translations?: Readonly<Record<string, PageWords>>
    /** Relative to the mount. Default: the id. */
    readonly path?: string
    /** In place of `path`: where the page is on the platform. */
    readonly at?: string
  })[]
}

/** The answer to an operator whose checkout or package has no browser files. */
export const NOT_BUILT =
  'The browser files have not been built. Run `npm run build`, then load this page again.\n'

/**
 * Makes the router of a standalone shell. Register it where it is mounted, after the routes of its API:
 * every other path answers with the shell's document, and `_assets/*` with its files, which are immutable.
 *
 * @throws Error when the folder has no `plugin.json` that can be read.
 */
export function standaloneShell(options: StandaloneShellOptions): FastifyPluginAsync {
  return async (app) => {
    const folders = [options.folder, ...(options.moreFolders ?? [])]
    const shown = folders.map((folder) => ({ folder, manifest: readManifest(folder) }))
    const pages = shown.flatMap(({ folder, manifest }) => pageFiles(folder, manifest))
    const manifests = shown.map(({ manifest }) => manifest)
    const files = openShellFiles({ folder: options.browserFolder, pages: () => pages })
    const render = renderer(options, () => navOf(options, manifests, files))
    await prepareFiles(app)
    app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, (request, reply) => {
      const name = request.params['*']
      const path = files.asset(name) ?? files.module(name)
      return path === undefined ? sendMissing(reply) : sendImmutable(reply, path)
    })
    const show = (_request: unknown, reply: FastifyReply): FastifyReply => {
      const ui = files.ui()
      return ui === undefined ? sendNotBuilt(reply) : render(ui, reply)
    }
    app.get('/', show)
    app.get('/*', show)
  }
}

const readManifest = (folder: string): PageManifest =>
  JSON.parse(readFileSync(resolve(folder, 'plugin.json'), 'utf8')) as PageManifest

function pageFiles(folder: string, { id, pages = [] }: PageManifest): readonly PageFiles[] {
  return pages.map((page) => ({
    plugin: id,
    id: page.id,
    file: resolve(folder, page.module),
    embed: false
  }))
}

function navOf(
  options: StandaloneShellOptions,
  manifests: readonly PageManifest[],
  files: ShellFiles
): Nav {
  const { mountPath, apiBase, title, locale = 'en', prefix = '' } = options
  const nav = buildNav({
    title,
    prefix,
    pages: manifests.flatMap(({ id: plugin, pages = [] }) =>
      pages.map((page) => ({
        ...localizePage(page, locale),
        plugin,
        path:
          page.at === undefined
            ? addressOf(mountPath, page.path ?? `/${page.id}`)
            : prefix + page.at,
        apiBase: mountPath
      }))
    ),
    moduleOf: ({ plugin, id }) => `${mountPath}/${ASSETS}/${files.moduleName(plugin, id)}`,
    settingsOf: () => undefined
  })
  if (apiBase === undefined) return nav
  const withApi = (pages: Nav['hidden']) => pages.map((page) => ({ ...page, api: apiBase }))
  const sections = nav.sections.map((section) => ({ ...section, pages: withApi(section.pages) }))
  return { ...nav, sections, hidden: withApi(nav.hidden) }
}

const addressOf = (mount: string, path: string): string =>
  path === '/' ? mount || '/' : `${mount}${path}`

/** One document for all paths: made at the first request after the build. */
function renderer(options: StandaloneShellOptions, nav: () => Nav) {
  let made: { readonly ui: UiManifest; readonly html: string; readonly headers: object } | undefined
  return (ui: UiManifest, reply: FastifyReply): FastifyReply => {
    if (made?.ui !== ui) made = { ui, ...standaloneDocument(options, ui, nav()) }
    return reply.headers(made.headers as Record<string, string>).send(made.html)
  }
}

function standaloneDocument(options: StandaloneShellOptions, ui: UiManifest, nav: Nav) {
  const { mountPath, title, locale = 'en', timeZone, apiBase = mountPath } = options
  const config = {
    mountPath,
    apiBase: `${apiBase}/api`,
    title,
    view: 'shell',
    status: 200,
    nav
  } as const
  const policy = contentPolicy({
    importMap: importMap(ui),
    connect: foreignOrigin(apiBase),
    frames: 'self'
  })
  return {
    html: documentTemplate(ui)({ locale, timeZone, config }),
    headers: documentHeaders(policy)
  }
}

/** Origin of an absolute address; undefined for a path. */
function foreignOrigin(address: string): string | undefined {
  return /^https?:\/\//i.test(address) ? new URL(address).origin : undefined
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(NOT_BUILT)
}
