// Puts routes on a Fastify scope: with their schemas, the parsers of their bodies, and errors in the right shape.
import { acceptCrossOrigin, acceptEmptyJson } from '@keelson/sdk'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { createErrorHandler } from '../http/answers.ts'
import { FORM } from '../http/requests.ts'
import { checkedByHandler } from '../http/validate.ts'
import { BODY_LIMIT } from './route.ts'

export function serveRoutes(
  app: FastifyInstance,
  routes: readonly RouteOptions[],
  settings: Pick<Settings, 'logger'>
): void {
  acceptCrossOrigin(app)
  readBodies(app)
  for (const route of routes) {
    app.route({
      bodyLimit: BODY_LIMIT,
      validatorCompiler: checkedByHandler,
      errorHandler: createErrorHandler(settings),
      ...route
    })
  }
}

/** Forms stay text, so that repeated parameters are seen. An empty JSON body counts as none. */
function readBodies(app: FastifyInstance): void {
  if (app.hasContentTypeParser(FORM)) app.removeContentTypeParser(FORM)
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  acceptEmptyJson(app)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/scim+json', { parseAs: 'string' }, parse)
}
