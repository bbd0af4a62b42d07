// The public router: what recipients and providers reach, on any mount, with or without the kernel.
import { plainLog } from '@keelson/kernel/standalone'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteOptions
} from 'fastify'
import { confirmRoutes } from '../audience/contacts/pages/confirm-routes.ts'
import { createPublicPages, type PublicPages } from '../audience/contacts/pages/public-pages.ts'
import type { PublicTexts } from '../audience/contacts/pages/texts.ts'
import { unsubscribeRoutes } from '../audience/contacts/pages/unsubscribe-routes.ts'
import { imageRoute } from '../content/images/image-route.ts'
import { mailFrameRoute } from '../content/images/mail-frame-route.ts'
import { createTrackingRoutes } from '../delivery/tracking/tracking-routes.ts'
import { viewRoutes } from '../delivery/tracking/view-routes.ts'
import { webhookRoutes } from '../delivery/webhooks/webhook-routes.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { MailerLogger } from '../ledger/host-code.ts'
import { type DmarcInboundRoute, dmarcInboundRoute } from './dmarc-inbound-route.ts'

/** The part of a mailer that the public router needs. */
export interface PublicMailer {
  getRunnerContext(): MailerContext
}

/** Options of `createMailerPublic`. */
export interface MailerPublicOptions {
  /** Default: the mailer's own. `{}` is silent. */
  readonly logger?: MailerLogger
  /** Takes DMARC reports that a mail service posts. Without its `secret` there is no such route. */
  readonly dmarcInbound?: DmarcInboundRoute
  /** @deprecated Set it in the mailer's configuration: only that file is replayed by the tick. */
  readonly pendingUnsubsPath?: string
  /** Language of the pages, BCP 47. Default `en`. */
  readonly locale?: string
  /** Texts of the pages that replace the English ones. */
  readonly texts?: Partial<PublicTexts>
}

const BODY_LIMIT = 65_536

/**
 * Makes the public router: a Fastify plugin, to be registered with the prefix under which `publicUrl` and
 * `/m` reach it. It asks for no sign-in and must stay reachable from the internet.
 */
export function createMailerPublic(
  mailer: PublicMailer,
  options: MailerPublicOptions = {}
): FastifyPluginAsync {
  return async (app) => {
    const context = contextOf(mailer, options)
    const { config } = context
    const sender = config.fromDefaults?.name || new URL(config.publicUrl).hostname
    const pages = createPublicPages({ ...options, sender })
    const tracking = createTrackingRoutes(context, pages)
    app.addHook('onClose', () => tracking.close())
    const routes = [
      ...tracking.routes,
      ...unsubscribeRoutes(context, pages, journalPath(context, options)),
      ...confirmRoutes(context, pages),
      ...viewRoutes(context, pages),
      mailFrameRoute,
      imageRoute(context, pages),
      ...webhookRoutes(context)
    ]
    serveRoutes(app, routes, { context, pages })
    const { secret, ...inbound } = options.dmarcInbound ?? {}
    if (secret) await app.register(dmarcInboundRoute(context, { ...inbound, secret }))
  }
}

function journalPath(
  { config, log }: MailerContext,
  { pendingUnsubsPath }: MailerPublicOptions
): string | undefined {
  if (pendingUnsubsPath !== undefined && config.pendingUnsubsPath === undefined) {
    const said =
      'mailer: set pendingUnsubsPath in the configuration, or the journal is not replayed'
    log.warn({ pendingUnsubsPath }, said)
  }
  return config.pendingUnsubsPath ?? pendingUnsubsPath
}

/** The mailer's context, with the router's logger. Its live parts stay live. */
function contextOf(mailer: PublicMailer, { logger }: MailerPublicOptions): MailerContext {
  const context = mailer.getRunnerContext()
  if (logger === undefined) return context
  return Object.create(context, { log: { value: plainLog(logger) } }) as MailerContext
}

function serveRoutes(
  app: FastifyInstance,
  routes: readonly RouteOptions[],
  { context, pages }: { readonly context: MailerContext; readonly pages: PublicPages }
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  for (const route of routes) {
    // Link checkers ask with HEAD, and no GET changes anything.
    app.route({ bodyLimit: BODY_LIMIT, exposeHeadRoute: route.method === 'GET', ...route })
  }

  /** Messages of errors stay in the log. */
  function sendError(error: unknown, { id }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { statusCode = 500 } = error as { readonly statusCode?: number }
    if (statusCode >= 400 && statusCode < 500) return pages.send(reply, statusCode, 'failed')
    context.log.error({ err: error, requestId: id }, 'mailer: a public request failed')
    return pages.send(reply.header('retry-after', '60'), 503, 'failed')
  }
}
