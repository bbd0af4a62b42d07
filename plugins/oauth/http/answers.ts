// How answers are sent: errors as JSON or a page, headers against caches and referrers.
import { createHash } from 'node:crypto'
import { errorBody, KeelsonError } from '@keelson/sdk'
import { escapeHtml, prefersHtml } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'

/** For every answer with a token, a code or personal data. */
export function sealed(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
}

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

/** Renders an error: a page for people, JSON for programs. */
export function renderError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: OAuthError
): FastifyReply {
  if (!prefersHtml(request.headers.accept)) return sendError(reply, error)
  const body = `<h1>Request refused</h1>
<p>${escapeHtml(error.description ?? '')}</p>
<p>Go back to the application and try again. If it fails again, report this code to its developers: <code>${escapeHtml(error.code)}</code>.</p>`
  return sendPage(reply.code(error.status).headers(error.headers), {
    title: 'Request refused',
    body
  })
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:10vh auto;max-width:34rem;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}`

const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface SimplePage {
  readonly title: string
  /** HTML; text from outside must be escaped. */
  readonly body: string
  /** The only script that runs. */
  readonly script?: string
}

/** A page of the protocol itself: self-contained, never framed, never cached. */
export function sendPage(reply: FastifyReply, { title, body, script }: SimplePage): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  return sealed(reply)
    .header('content-security-policy', policy.join('; '))
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>
`)
}

const SUBMIT = 'document.forms[0].submit()'

/** The form_post response mode: a page that posts the parameters to the callback. */
export function sendFormPost(
  reply: FastifyReply,
  action: string,
  parameters: Readonly<Record<string, string>>
): FastifyReply {
  const fields = Object.entries(parameters).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
  )
  return sendPage(reply.code(200), {
    title: 'Going back',
    body: `<form method="post" action="${escapeHtml(action)}">${fields.join('')}
<p>Going back to the application.</p><noscript><button>Continue</button></noscript></form>`,
    script: SUBMIT
  })
}
