// How answers are sent: errors as JSON, headers against caches and referrers.
import { errorBody, KeelsonError } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../clients/logos.ts'
import type { Settings } from '../config/settings.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'

/** The headers of every answer with a token, a code or personal data. */
export const SEALED = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'referrer-policy': 'no-referrer'
} as const

export const sealed = (reply: FastifyReply): FastifyReply => reply.headers(SEALED)

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
    return isOwn ? sendOwnError(reply, answer) : sendError(reply, answer)
  }
}

/** `{ error, code, message }`, with the word of the protocol. */
function sendOwnError(reply: FastifyReply, answer: OAuthError): FastifyReply {
  const { status, code, headers, description = 'Something went wrong on the server.' } = answer
  sealed(reply).code(status).headers(headers)
  return reply.send(errorBody({ error: code, message: description }))
}

export function sendError(reply: FastifyReply, error: OAuthError): FastifyReply {
  return sealed(reply).code(error.status).headers(error.headers).send(oauthErrorBody(error))
}
