// What the shell receives: pages of running plugins, routes that a viewer may call, public settings.
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isOriginRight, type ManifestPage, type Viewer } from '@keelson/sdk'
import { signInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import { localizePage } from '@keelson/ui/server'
import { errors } from '../errors/errors.ts'
import { admissionOf, type PermissionBook } from '../guards/admission.ts'
import { askedWithGuards, createLateCheck } from '../guards/late-viewer.ts'
import { pageAddress } from '../platform/addresses.ts'
import { listOf } from '../platform/config-values.ts'
import { tenantsAt } from '../platform/tenants.ts'
import type { PageErrorSink, ShellOptions, ShellPage } from '../shell/page.ts'
import { PAGE_ERROR_LIMIT } from '../shell/page-errors.ts'
import { findPurpose } from '../shell/sign-in-purpose.ts'
import { badgeCounts } from './badge-counts.ts'
import type { OpenKernel } from './kernel.ts'
import type { RunningPlugin } from './running-plugin.ts'

/** The options of the shell. `pages` and `routesFor` follow the plugins as they come and go. */
export function shellOptions(kernel: OpenKernel): ShellOptions {
  const { shell = {}, auth = {} } = kernel.platform.config
  const purposes = kernel.capabilities.contributions(signInPurpose)
  const { locale = 'en' } = shell
  const placed = new Map<RunningPlugin, Map<string, readonly ShellPage[]>>()
  const pagesOf = (running: RunningPlugin, language: string): readonly ShellPage[] => {
    const byLanguage = placed.get(running) ?? new Map<string, readonly ShellPage[]>()
    placed.set(running, byLanguage)
    const pages = byLanguage.get(language) ?? placePages(running, language)
    byLanguage.set(language, pages)
    return pages
  }
  const up = () => kernel.running.filter(({ status }) => status.downReason === undefined)
  return {
    title: shell.title ?? 'Keelson',
    locale,
    timeZone: shell.timeZone,
    ...(auth.publicUrl !== undefined && auth.publicUrl !== '' && { publicUrl: auth.publicUrl }),
    embedOrigins: listOf(auth.embedOrigins),
    signInHint: () => shell.signInHint,
    signInPurpose: (next) => findPurpose(next, purposes, kernel.log),
    addresses: kernel.addresses,
    pageErrors: pageErrorSink(kernel),
    signIn: auth.signIn,
    signOut: auth.signOut,
    pages: (language = locale) => up().flatMap((running) => pagesOf(running, language)),
    viewerOf: createLateCheck(kernel.viewers, {
      resolve: kernel.options.resolveViewer,
      log: kernel.log
    }),
    asked: askedWithGuards(kernel.viewers, kernel.asksLate),
    routesFor: async (viewer) => {
      const { permissions } = kernel
      const routes = up().map((running) => callableRoutes(running, permissions, viewer))
      return (await Promise.all(routes)).flat()
    },
    badgeCounts: (viewer, routes) => badgeCounts(up(), viewer, new Set(routes)),
    isWatching: kernel.seams.env['KEELSON_DEV'] === '1',
    publicConfig: (plugin) =>
      kernel.running.find((running) => running.plugin.id === plugin)?.plugin.settings.public
  }
}

function pageErrorSink({ limits, pageFailures, originRule }: OpenKernel): PageErrorSink {
  return {
    limit: limits.limit('kernel', 'page-errors', PAGE_ERROR_LIMIT),
    // A page always sends an origin, so a report without one is not from a page.
    isFromHere: (request) =>
      request.headers.origin !== undefined && isOriginRight(originRule, request),
    note: (failure) => pageFailures.note(failure)
  }
}

/** A page whose module is missing is left out, and the plugin says so in its state. */
function placePages({ plugin, status, log }: RunningPlugin, locale: string): ShellPage[] {
  return (plugin.manifest.pages ?? []).flatMap((page, at) => {
    const file = plugin.folder === undefined ? undefined : resolve(plugin.folder, page.module)
    if (file !== undefined && existsSync(file))
      return [{ ...placePage(plugin, localizePage(page, locale), file), ...titlesOf(page) }]
    const path = `pages[${at}].module`
    const error = errors.KRN_PAGE_MODULE({ plugin: plugin.id, path, file: file ?? page.module })
    status.degrade(error)
    log.warn({ code: error.code }, error.message)
    return []
  })
}

function placePage(plugin: RunningPlugin['plugin'], page: ManifestPage, file: string): ShellPage {
  const { id, title, element, role, nav, tenants, embed = true, alone = false } = page
  const embedFile = join(dirname(file), '..', 'embed', basename(file))
  return {
    plugin: plugin.id,
    id,
    title,
    path: pageAddress(plugin, page),
    element,
    role,
    embed,
    alone,
    ...(nav !== undefined && { nav }),
    ...(tenants !== undefined && { tenants: tenantsAt(tenants, plugin.settings.all) }),
    file,
    embedFile: existsSync(embedFile) ? embedFile : undefined,
    apiBase: plugin.mount
  }
}

/** A page that is alone is shown in the language of the request that leads to it. Titles are English. */
function titlesOf({ alone, title, translations = {} }: ManifestPage): Pick<ShellPage, 'titles'> {
  if (alone !== true) return {}
  const others = Object.entries(translations).map(([tag, words]) => [tag, words.title])
  return { titles: { en: title, ...Object.fromEntries(others) } }
}

/** The id of an operation, else `<plugin>:<METHOD> <path as declared>`: of what a viewer may call in the browser. */
async function callableRoutes(
  { plugin, owner }: RunningPlugin,
  permissions: PermissionBook,
  viewer: Viewer | null
): Promise<string[]> {
  const may = await Promise.all(
    plugin.routes.map(async ({ declared }) => {
      const { auth } = declared
      if (auth === 'public') return true
      if (viewer === null || (auth !== 'viewer' && auth !== 'admin')) return false
      if (auth === 'admin' && viewer.role !== 'admin') return false
      return (await admissionOf(declared, owner, permissions)?.(viewer)) ?? true
    })
  )
  return plugin.routes
    .filter((_route, at) => may[at])
    .map(
      ({ declared }) =>
        declared.id ?? `${plugin.id}:${declared.method} ${declared.at ?? declared.path}`
    )
}
