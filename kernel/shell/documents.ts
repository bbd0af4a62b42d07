// Answers requests for documents: a page, the way to the sign-in, a refusal, or the plain truth.
import type { UiManifest } from '@keelson/ui'
import {
  contentPolicy,
  documentHeaders,
  documentTemplate,
  importMap,
  prefersJson,
  type ShellFiles
} from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors/errors.ts'
import type { ShellOptions } from './page.ts'
import { isBelow, placeOf } from './place.ts'

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
  signIn(reply: FastifyReply): FastifyReply
  /** HTML for an address that is not there. */
  notFound(reply: FastifyReply): FastifyReply
}

interface Shown {
  readonly mountPath: string
  readonly status: number
  readonly view?: 'shell' | 'sign-in' | 'alone'
  readonly page?: string
}

export function createDocuments(options: ShellOptions, files: ShellFiles): Documents {
  const build = prepareBuild()
  const send = (reply: FastifyReply, shown: Shown): FastifyReply => {
    const ui = files.ui()
    if (ui === undefined) {
      const { status, message } = errors.KRN_SHELL_NOT_BUILT()
      return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
    }
    const { headers, render } = build(ui)
    const { title, locale } = options
    const { mountPath, status, view = 'shell', page } = shown
    const hint = view === 'sign-in' ? options.signInHint?.() : undefined
    const apiBase = `${mountPath === '/' ? '' : mountPath}/api`
    reply.code(status).headers(headers)
    if (shown.view !== undefined) reply.headers(OPENED_HEADERS)
    const config = { mountPath, apiBase, title, view, status, hint }
    return reply.send(render({ locale, config, page }))
  }
  return {
    async show(request, reply, mountPath) {
      const path = pathOf(request.url)
      if (isBelow(path, `${mountPath}/api`) || isProgram(request, mountPath, path)) {
        return reply.code(404).send({ error: 'not_found' })
      }
      const place = placeOf(path, options.pages(), await options.viewerOf(request))
      switch (place.kind) {
        case 'page':
          return send(reply, {
            mountPath,
            status: 200,
            page: place.page.title,
            ...(place.page.alone === true && { view: 'alone' })
          })
        case 'shell':
          return send(reply, { mountPath, status: 200 })
        case 'gone':
          return send(reply, { mountPath, status: 404 })
        case 'refused':
          return send(reply, { mountPath, status: 403, page: place.page.title })
        case 'sign-in':
          reply.header('cache-control', 'no-store').header('vary', 'cookie')
          return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 302)
      }
    },
    signIn: (reply) => send(reply, { mountPath: '/', status: 200, view: 'sign-in' }),
    notFound: (reply) => send(reply, { mountPath: '/', status: 404 })
  }

  /** A program that asks for JSON at an address that is no page is told so. */
  function isProgram(request: FastifyRequest, mountPath: string, path: string): boolean {
    const isMount = path === mountPath || path === `${mountPath}/`
    const isPage = options.pages().some((page) => isBelow(path, page.path))
    return prefersJson(request.headers.accept) && !isMount && !isPage
  }
}

interface PreparedBuild {
  readonly ui: UiManifest
  readonly headers: Readonly<Record<string, string>>
  readonly render: ReturnType<typeof documentTemplate>
}

/** Headers and the fixed part of the text change only with the build. */
function prepareBuild(): (ui: UiManifest) => PreparedBuild {
  let known: PreparedBuild | undefined
  return (ui) => {
    if (known?.ui === ui) return known
    const headers = documentHeaders(contentPolicy({ importMap: importMap(ui) }))
    known = { ui, headers, render: documentTemplate(ui) }
    return known
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
