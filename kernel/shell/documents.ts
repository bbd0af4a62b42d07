// Answers requests for documents: a page, the way to the sign-in, a refusal, or the plain truth.
import type { Viewer } from '@keelson/sdk'
import type { SignInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import { ownPath } from '@keelson/sdk/own-path'
import type { UiManifest } from '@keelson/ui'
import {
  contentPolicy,
  documentHeaders,
  documentTemplate,
  importMap,
  LANGUAGES,
  pickLanguage,
  prefersJson,
  type ShellFiles
} from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors/errors.ts'
import { answers } from '../http/answers.ts'
import type { ShellOptions, ShellPage } from './page.ts'
import { isBelow, placeOf } from './place.ts'
import { readerLanguage } from './reader-language.ts'
import { type SignIn, withNext } from './sign-in.ts'

/**
 * For documents that another site opened a window for (the sign-in, pages that are alone): the window
 * keeps its opener, or the site would wait for ever.
 */
const OPENED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'unsafe-none'
}

export interface Documents {
  /** An address of a mount: `mountPath` is `/` for the shell's own. */
  show(request: FastifyRequest, reply: FastifyReply, mountPath: string): Promise<FastifyReply>
  /** The built-in form, or the way to the host's own sign-in. */
  signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** HTML for an address that is not there. */
  notFound(reply: FastifyReply): FastifyReply
}

interface Shown {
  readonly mountPath: string
  readonly status: number
  /** Who sees it: the name of their tenant is its title. */
  readonly viewer?: Viewer | null
  readonly view?: 'shell' | 'sign-in' | 'alone'
  readonly page?: string
  /** Default: the language of the reader. */
  readonly locale?: string | undefined
  readonly purpose?: SignInPurpose | undefined
}

export function createDocuments(
  options: ShellOptions,
  files: ShellFiles,
  signIn: SignIn
): Documents {
  const { shell: start = '/', nav: navAddress, prefix, hasOwnAssets, assets } = options.addresses
  const pageErrors = options.pageErrors && options.addresses.pageErrors
  const root = prefix || '/'
  const build = prepareBuild(hasOwnAssets ? assets : undefined)
  const send = (reply: FastifyReply, shown: Shown): FastifyReply => {
    const ui = files.ui()
    if (ui === undefined) {
      const { status, message } = errors.KRN_SHELL_NOT_BUILT()
      return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
    }
    const { headers, render } = build(ui)
    const { timeZone } = options
    const { mountPath, status, view = 'shell', page, purpose, viewer } = shown
    const locale = shown.locale ?? readerLanguage(reply.request, options.locale)
    const title = viewer?.tenantName ?? options.title
    const hint = view === 'sign-in' ? options.signInHint?.() : undefined
    const apiBase = `${mountPath === '/' ? '' : mountPath}/api`
    reply.code(status).headers(headers)
    if (shown.view !== undefined) reply.headers(OPENED_HEADERS)
    const links = { start, navAddress, signIn: signIn.address(), signOut: signIn.signOut() }
    const config = { mountPath, apiBase, title, view, status, hint, purpose, pageErrors, ...links }
    return reply.send(render({ locale, timeZone, config, page }))
  }
  return {
    async show(request, reply, mountPath) {
      const path = pathOf(request.url)
      if (isBelow(path, `${mountPath}/api`) || isProgram(request, mountPath, options.pages())) {
        return answers.notFound(reply)
      }
      const viewer = await options.viewerOf(request)
      const pages = options.pages(readerLanguage(request, options.locale))
      const place = placeOf(path, { start, pages, viewer })
      const seen = { mountPath, viewer }
      switch (place.kind) {
        case 'page':
          return send(reply, {
            ...seen,
            status: 200,
            page: place.page.title,
            ...(place.page.alone === true && aloneOf(place.page, uiLocalesOf(request)))
          })
        case 'shell':
          return send(reply, { ...seen, status: 200 })
        case 'gone':
          return send(reply, { ...seen, status: 404 })
        case 'refused':
          return send(reply, { ...seen, status: 403, page: place.page.title })
        case 'sign-in':
          return toSignIn(reply, { mountPath, next: request.url, uiLocales: uiLocalesOf(request) })
      }
    },
    async signIn(request, reply) {
      const next = ownPath((request.query as { readonly next?: unknown }).next)
      const uiLocales = uiLocalesOf(request)
      if (options.signIn === undefined && signIn.hasForm()) {
        const purpose = next === undefined ? next : await options.signInPurpose?.(next)
        const locale = signInLocale(uiLocales, readerLanguage(request, options.locale))
        return send(reply, { mountPath: root, status: 200, view: 'sign-in', purpose, locale })
      }
      return toSignIn(reply, { mountPath: root, next: next ?? start, uiLocales })
    },
    notFound: (reply) => send(reply, { mountPath: root, status: 404 })
  }

  function toSignIn(reply: FastifyReply, at: WayToSignIn): FastifyReply {
    const address = signIn.address()
    reply.header('cache-control', 'no-store').header('vary', 'cookie')
    if (address !== undefined) return reply.redirect(withNext(address, at.next, at.uiLocales), 302)
    return send(reply, { mountPath: at.mountPath, status: 401 })
  }
}

/** Whether a program asks for JSON at an address without a page. */
function isProgram(
  { url, headers }: FastifyRequest,
  mountPath: string,
  pages: readonly ShellPage[]
): boolean {
  const path = pathOf(url)
  const isMount = path === mountPath || path === `${mountPath}/`
  const isPage = pages.some((page) => isBelow(path, page.path))
  return prefersJson(headers.accept) && !isMount && !isPage
}

interface WayToSignIn {
  readonly mountPath: string
  readonly next: string
  readonly uiLocales: string | undefined
}

/** The languages that the caller asks for, as OpenID Connect has them: text from outside. */
function uiLocalesOf({ query }: FastifyRequest): string | undefined {
  const { ui_locales: asked } = query as { readonly ui_locales?: unknown }
  return typeof asked === 'string' ? asked : undefined
}

/** The language of the sign-in form: it has no others than those of the elements. */
function signInLocale(uiLocales: string | undefined, locale: string): string {
  const asked = pickLanguage(uiLocales, LANGUAGES)
  return asked ?? (pickLanguage(locale, LANGUAGES) === undefined ? 'en' : locale)
}

/** A page that is alone is in the middle of another site's errand, so the address may ask for a language. */
function aloneOf({ titles = {} }: ShellPage, uiLocales: string | undefined): Partial<Shown> {
  const locale = pickLanguage(uiLocales, Object.keys(titles))
  const page = locale && titles[locale]
  return { view: 'alone', locale, ...(page !== undefined && { page }) }
}

interface PreparedBuild {
  readonly ui: UiManifest
  readonly headers: Readonly<Record<string, string>>
  readonly render: ReturnType<typeof documentTemplate>
}

/** Headers and the fixed part of the text change only with the build. */
function prepareBuild(assets: string | undefined): (ui: UiManifest) => PreparedBuild {
  let known: PreparedBuild | undefined
  return (ui) => {
    if (known?.ui === ui) return known
    const headers = documentHeaders(contentPolicy({ importMap: importMap(ui, assets) }))
    known = { ui, headers, render: documentTemplate(ui, assets) }
    return known
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
