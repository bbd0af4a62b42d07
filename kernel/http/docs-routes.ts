// The routes of the page of the API: the page, its styles, and the address that its forms are sent to.
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors/errors.ts'
import { below } from '../platform/kernel-addresses.ts'
import { answers } from './answers.ts'
import { type ApiContent, type OpenApiDocument, readApi } from './api-operations.ts'
import { tryAddress } from './docs-forms.ts'
import { DOCS_STYLES, type DocsAddresses, docsPage } from './docs-page.ts'
import { HIDDEN } from './hidden.ts'

const DOCS_POLICY =
  "default-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export interface DocsRoutes {
  readonly addresses: DocsAddresses
  /** The address people see, when it differs from the Host header. */
  readonly publicOrigin: string | undefined
  readonly document: () => OpenApiDocument
}

type Query = Readonly<Record<string, unknown>>

/** Registers them. The document is read at the first request, because routes are added until then. */
export function registerDocs(
  scope: FastifyInstance,
  { addresses, publicOrigin, document }: DocsRoutes
): void {
  let content: ApiContent | undefined
  const api = (): ApiContent => {
    content ??= readApi(document())
    return content
  }
  scope.get(addresses.docs, HIDDEN, async (request, reply) => {
    const { q, op } = request.query as Query
    const view = {
      origin: publicOrigin ?? `${request.protocol}://${request.host}`,
      ...(typeof q === 'string' && { search: q }),
      ...(typeof op === 'string' && { only: op })
    }
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY)
      .send(docsPage(api(), addresses, view))
  })
  scope.get(below(addresses.docs, '/docs.css'), HIDDEN, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(DOCS_STYLES)
  )
  scope.get(below(addresses.docs, '/try'), HIDDEN, async (request, reply) => {
    const fields = request.query as Query
    const operation = api().operations.get(String(fields['op']))
    if (operation?.method !== 'get') return answers.notFound(reply)
    const verdict = tryAddress(operation, fields)
    if (verdict.ok) return reply.header('cache-control', 'no-store').redirect(verdict.location, 303)
    if (verdict.fault === 'long') return answers.tooLong(reply)
    throw errors.KRN_TRY_PATH({ name: verdict.name })
  })
}
