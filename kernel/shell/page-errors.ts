// Errors of pages, as the shell in a browser reports them: only from this host's own pages, limited, and checked.
import { addressKey, Type } from '@keelson/sdk'
import { Value } from '@keelson/sdk/typebox'
import { mayOpen, type PageErrorReport } from '@keelson/ui/server'
import type { FastifyInstance } from 'fastify'
import { answers } from '../http/answers.ts'
import { HIDDEN } from '../http/hidden.ts'
import type { PageErrorSink, ShellOptions } from './page.ts'

/** How many reports one address may send. A page that fails does so once each time it is opened. */
export const PAGE_ERROR_LIMIT = { max: 20, windowSeconds: 60 } as const

const MAX_BYTES = 4_096

const reportSchema = Type.Object({
  plugin: Type.String(),
  page: Type.String(),
  kind: Type.Enum(['module', 'element', 'page']),
  message: Type.String()
})

export function servePageErrors(
  app: FastifyInstance,
  address: string,
  options: ShellOptions & { readonly pageErrors: PageErrorSink }
): void {
  const { limit, isFromHere, note } = options.pageErrors
  const settings = { bodyLimit: MAX_BYTES, ...HIDDEN }
  app.post(address, settings, async (request, reply) => {
    if (!isFromHere(request)) return answers.badOrigin(reply)
    const { granted, retryAfterSeconds } = await limit.take(addressKey(request.ip))
    if (granted === 0) return answers.tooMany(reply, retryAfterSeconds)
    const report = readReport(request.body)
    if (report === undefined) return answers.badRequest(reply)
    const viewer = await options.viewerOf(request)
    const page = options
      .pages()
      .find(({ plugin, id }) => plugin === report.plugin && id === report.page)
    // What a viewer cannot open cannot have failed in their browser.
    if (page === undefined || !mayOpen(page, viewer)) return answers.notFound(reply)
    note({ plugin: page.plugin, page: page.id, reason: reasonOf(report, page.element) })
    return reply.code(204).send()
  })
}

/** A beacon carries text. Undefined when it is not a report. */
export function readReport(body: unknown): PageErrorReport | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const report: unknown = JSON.parse(body)
    return Value.Check(reportSchema, report) ? report : undefined
  } catch {
    return undefined
  }
}

function reasonOf({ kind, message }: PageErrorReport, element: string): string {
  switch (kind) {
    case 'module':
      return `Its module could not be loaded: ${message}`
    case 'element':
      return `Its module does not define the element ${element}.`
    case 'page':
      return message
  }
}
