// How answers are sent: errors as JSON, headers against caches and referrers.
import { errorBody, KeelsonError } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../clients/logos.ts'
import type { Settings } from '../config/settings.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'

/** For every answer with a token, a code or personal data. */
export function sealed(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
}

/** An image alone: whatever its bytes are, nothing in it runs or loads. */
export const sendLogo = (reply: FastifyReply, { type, bytes }: Logo): FastifyReply =>
  reply
    .headers({
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer'
    })
    .type(type)
    .send(bytes)

/** Any error as an error of the protocol. Messages of internal errors are not sent. */
export function wireError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (KeelsonError.is(error) && error.status < 500) {
    const code = error.status === 404 ? 'not_found' : 'invalid_request'
    return new OAuthError(error.status, code, error.message)
  }
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown }
  const isOfFastify = typeof code === 'string' && code.startsWith('FST_')
  if (isOfFastify && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const { code: word, description } = oauthError('bodyUnreadable')
    return new OAuthError(statusCode, word, description)
  }
  return oauthError('internal')
}

/** The body of an error of the protocol (RFC 6749 §5.2). */
export const oauthErrorBody = ({ code, description }: OAuthError): object => ({
  error: code,
  ...(description !== undefined && { error_description: description })
})

/** An error handler; `isOwn`: for our own API, whose errors have the platform's shape. */
export function createErrorHandler(
  { logger }: Pick<Settings, 'logger'>,
  { isOwn = false }: { readonly isOwn?: boolean } = {}
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = wireError(error)
    if (answer.status >= 500)
      logger.error({ err: error, requestId: request.id }, 'a request failed')
    return isOwn ? sendOwnError(reply, answer, error) : sendError(reply, answer)
  }
}

/** `{ error, code, message, fix?, fields? }`: the word of the protocol, or the code of the error table. */
function sendOwnError(reply: FastifyReply, answer: OAuthError, error: unknown): FastifyReply {
  const { status, code, description = 'Something went wrong on the server.' } = answer
  sealed(reply).code(status).headers(answer.headers)
  if (!KeelsonError.is(error) || status >= 500) {
    return reply.send(errorBody({ error: code, message: description }))
  }
  const { message, remedy, details } = error
  const { path, problem } = details as { readonly path?: unknown; readonly problem?: unknown }
  const isField = typeof path === 'string' && typeof problem === 'string'
  const body = {
    code: error.code,
    // The message of a KeelsonError ends with its remedy.
    message: message.endsWith(remedy) ? message.slice(0, -remedy.length).trim() : message,
    fix: remedy,
    ...(isField && { fields: [{ path, message: problem }] })
  }
  return reply.send(errorBody(body))
}

export function sendError(reply: FastifyReply, error: OAuthError): FastifyReply {
  return sealed(reply).code(error.status).headers(error.headers).send(oauthErrorBody(error))
}
