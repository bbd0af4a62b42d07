// Pages for other sites: their list, files and documents for every origin, the API for configured origins.
import { acceptCrossOrigin, type CorsPolicy, corsConfig, optional, Type } from '@keelson/sdk'
import { type ShellFiles, sendMissing, sendRevalidated } from '@keelson/ui/server'
import type { FastifyInstance } from 'fastify'
import { embedDocument } from './embed-document.ts'
import type { ShellOptions } from './page.ts'
import { trimmed } from './place.ts'
import { readerLanguage } from './reader-language.ts'

/** Headers that the client of the pages sends. */
const ALLOWED_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'idempotency-key',
  'if-match',
  'traceparent'
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Headers of answers that the client of the pages reads. */
const EXPOSED_HEADERS = ['etag', 'retry-after', 'x-next-cursor', 'x-request-id']

/** What lets the origins call with credentials; undefined without origins. */
export function embedPolicy(origins: readonly string[]): CorsPolicy | undefined {
  const allowed = new Set(origins.map((origin) => origin.replace(/\/+$/, '')))
  if (allowed.size === 0) return undefined
  return {
    origin: (origin: string) => allowed.has(origin),
    methods: METHODS,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    credentials: true
  }
}

const EVERY_ORIGIN = corsConfig({ origin: '*', methods: ['GET', 'HEAD'] })

/** A page as another admin UI embeds it. Addresses are paths of the platform. */
const embeddedPage = Type.Object({
  plugin: Type.String(),
  page: Type.String(),
  title: Type.String({ description: 'In the language of the installation.' }),
  element: Type.String({ description: 'The tag of the custom element.' }),
  module: Type.String({ description: 'The script that defines the element.' }),
  apiBase: Type.String({ description: 'For the attribute api-base.' }),
  apiPrefix: optional(
    Type.String({ description: 'For the attribute api-prefix, where the platform has a prefix.' })
  )
})

const LIST_SCHEMA = {
  summary: 'Lists the pages that other admin UIs may embed.',
  response: { 200: Type.Object({ pages: Type.Array(embeddedPage) }) }
}

/**
 * Serves to any origin the list at `address`, `<address>/<plugin>/<page>.js` with the files beside it, and
 * `<address>/<plugin>/<page>`, the document for frames. `app` is prepared for files.
 */
export function registerEmbeds(
  app: FastifyInstance,
  files: ShellFiles,
  options: ShellOptions & { readonly address: string }
): void {
  const { address } = options
  acceptCrossOrigin(app)
  app.get(address, { config: EVERY_ORIGIN, schema: LIST_SCHEMA }, () => ({
    pages: options
      .pages()
      .filter(({ embed }) => embed)
      .map(listed(options))
  }))
  app.get(`${address}/:plugin/:file`, { config: EVERY_ORIGIN }, (request, reply) => {
    const { plugin, file } = request.params as { plugin: string; file: string }
    const path = files.embed(plugin, file)
    const locale = readerLanguage(request, options.locale)
    const page = path ?? options.pages(locale).find((each) => isShown(each, plugin, file))
    if (page === undefined) return sendMissing(reply)
    if (typeof page !== 'string') {
      const { prefix } = options.addresses
      const module = `${address}/${plugin}/${page.id}.js`
      const apiBase = trimmed(page.apiBase)
      const { html, headers } = embedDocument({ ...page, module, apiBase, prefix, locale })
      return reply.headers(headers).send(html)
    }
    return sendRevalidated(reply.header('cross-origin-resource-policy', 'cross-origin'), page)
  })
}

const isShown = (page: ReturnType<ShellOptions['pages']>[number], plugin: string, id: string) =>
  page.embed && page.plugin === plugin && page.id === id

function listed({ address, addresses }: { address: string } & Pick<ShellOptions, 'addresses'>) {
  const { prefix } = addresses
  return ({ plugin, id, title, element, apiBase }: ReturnType<ShellOptions['pages']>[number]) => ({
    plugin,
    page: id,
    title,
    element,
    module: `${address}/${plugin}/${id}.js`,
    apiBase: trimmed(apiBase),
    ...(prefix !== '' && { apiPrefix: prefix })
  })
}
