// The route of uploaded pictures: every reader of a mail gets them, and what is at an address never changes.

import type { RouteOptions } from 'fastify'
import type { PublicPages } from '../../audience/contacts/pages/public-pages.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { readImage } from './keep-images.ts'

const ADDRESS = /^([0-9a-f]{32})\.(png|jpg|gif|webp)$/
/** Opened by itself it is a document: it gets no origin, and runs and fetches nothing. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** Prepares the route. */
export function imageRoute(context: MailerContext, pages: PublicPages): RouteOptions {
  return {
    method: 'GET',
    url: '/image/*',
    async handler({ params }, reply) {
      const [, id = '', end = ''] = ADDRESS.exec((params as { readonly '*': string })['*']) ?? []
      const image = id === '' ? null : await readImage(context, { id, end })
      if (image === null) return pages.send(reply, 404, 'unknownLink')
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', POLICY)
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-content-type-options', 'nosniff')
        .header('etag', `"${id}"`)
        .type(`image/${image.type}`)
        .send(Buffer.from(image.bytes))
    }
  }
}
