// Answers requests for documents: a page, the way to the sign-in, a refusal, or the plain truth.
import type { UiManifest } from '@keelson/ui'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors/errors.ts'
import { prefersJson } from './accept.ts'
import { htmlDocument } from './document.ts'
import type { ShellFiles } from './files.ts'
import { importMap } from './import-map.ts'
import type { ShellOptions } from './page.ts'
import { isBelow, placeOf } from './place.ts'
import { contentPolicy, documentHeaders, OPENED_HEADERS } from './policy.ts'

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
  const headers = headersByBuild()
  const send = (reply: FastifyReply, shown: Shown): FastifyReply => {
    const ui = files.ui()
    if (ui === undefined) {
      const { status, message } = errors.KRN_SHELL_NOT_BUILT()
      return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
    }
    const { title, locale } = options
    const hint = shown.view === 'sign-in' ? options.signInHint?.() : undefined
    reply.code(shown.status).headers(headers(ui))
    if (shown.view !== undefined) reply.headers(OPENED_HEADERS)
    return reply.send(htmlDocument({ ui, title, locale, view: 'shell', hint, ...shown }))
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

/** The headers change only with the build: the policy holds the hash of its import map. */
function headersByBuild(): (ui: UiManifest) => Readonly<Record<string, string>> {
  let of: UiManifest | undefined
  let headers: Readonly<Record<string, string>> = {}
  return (ui) => {
    if (of !== ui) headers = documentHeaders(contentPolicy(importMap(ui)))
    of = ui
    return headers
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
