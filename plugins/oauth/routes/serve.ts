// Puts routes on a Fastify scope: with their schemas, the parsers of their bodies, and errors in the right shape.
import { acceptCrossOrigin, acceptEmptyJson, corsConfig } from '@keelson/sdk'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { createErrorHandler } from '../http/answers.ts'
import { FORM } from '../http/requests.ts'
import { checkedByHandler } from '../http/validate.ts'
import { BODY_LIMIT, type ProtocolRoute } from './route.ts'

export function serveRoutes(
  app: FastifyInstance,
  routes: readonly ProtocolRoute[],
  settings: Pick<Settings, 'logger'>
): void {
  acceptCrossOrigin(app)
  readBodies(app)
  for (const { method, path, schema, verify, cors, handler, ...route } of routes) {
    app.route({
      method,
      url: path,
      ...(route.isPrivate === true && { exposeHeadRoute: false, logLevel: 'warn' as const }),
      bodyLimit: BODY_LIMIT,
      schema,
      validatorCompiler: (route.validator ?? checkedByHandler) as never,
      errorHandler: createErrorHandler(settings, { isOwn: route.isOwn === true }),
      config: { ...(cors && corsConfig(cors)), ...(verify && { verify }) } as FastifyContextConfig,
      handler
    })
  }
}

/** Forms stay text, so that repeated parameters are seen. An empty JSON body counts as none. */
function readBodies(app: FastifyInstance): void {
  if (app.hasContentTypeParser(FORM)) app.removeContentTypeParser(FORM)
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  acceptEmptyJson(app)
}
