// The route that DMARC reports are posted to, on a plain app: the DMARC plugin takes them.
import { acceptForms } from '@keelson/kernel/standalone'
import type { FastifyPluginAsync } from 'fastify'
import type { DmarcInboundOptions } from '../contracts/mailer-dmarc-inbound.ts'
import { errors } from '../errors.ts'
import type { MailerContext } from '../ledger/context.ts'

/** Options of the route; without a secret there is none. */
export interface DmarcInboundRoute extends Omit<DmarcInboundOptions, 'secret'> {
  readonly secret?: string
  /** Default `/inbound/dmarc`. */
  readonly path?: string
}

const MAX_FILE_BYTES = 10_485_760
const MAX_FILES = 10
const UNAUTHORIZED = { error: 'unauthorized', message: 'The secret is missing or wrong.' }

/** @throws MLR_PACKAGE_MISSING without @keelson/dmarc */
export function dmarcInboundRoute(
  { extensions }: MailerContext,
  { secret, path = '/inbound/dmarc', ...options }: DmarcInboundRoute & { readonly secret: string }
): FastifyPluginAsync {
  const inbound = extensions.dmarcInbound()
  if (inbound === undefined) {
    throw errors.MLR_PACKAGE_MISSING({ path: 'dmarcInbound', package: '@keelson/dmarc' })
  }
  const { maxFileSizeBytes = MAX_FILE_BYTES, maxFiles = MAX_FILES } = options
  const limits = { ...options, maxFileSizeBytes, maxFiles }
  return async (app) => {
    acceptForms(app, maxFileSizeBytes)
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      app.getDefaultJsonParser('error', 'error')
    )
    app.post(path, {
      bodyLimit: maxFileSizeBytes * (maxFiles + 1),
      logLevel: 'warn',
      async onRequest({ headers }, reply) {
        if (inbound.isAllowed(headers.authorization, secret)) return
        return reply.code(401).send(UNAUTHORIZED)
      },
      handler: (request, reply) => inbound.take(request, reply, limits)
    })
  }
}
