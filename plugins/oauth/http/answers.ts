// How answers leave: errors as OAuth JSON or a page, headers against caches and referrers, CORS.
import { createHash } from 'node:crypto'
import { KeelsonError } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { OAuthError } from '../oauth-errors.ts'

/** For everything that holds a token, a code or a person. */
export function sealed(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
}

/** What any error becomes on the wire. What went wrong inside stays inside. */
export function wireError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (KeelsonError.is(error) && error.status < 500) {
    const code = error.status === 404 ? 'not_found' : 'invalid_request'
    return new OAuthError(error.status, code, error.message)
  }
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown }
  const isOfFastify = typeof code === 'string' && code.startsWith('FST_')
  if (isOfFastify && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new OAuthError(statusCode, 'invalid_request', 'The body cannot be read.')
  }
  return new OAuthError(500, 'server_error')
}

export const errorBody = ({ code, description }: OAuthError): object => ({
  error: code,
  ...(description !== undefined && { error_description: description })
})

/** The error handler of the protocol's routes. */
export function createErrorHandler({ logger }: Settings) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = wireError(error)
    if (answer.status >= 500)
      logger.error({ err: error, requestId: request.id }, 'a request failed')
    return sendError(reply, answer)
  }
}

export function sendError(reply: FastifyReply, error: OAuthError): FastifyReply {
  return sealed(reply).code(error.status).headers(error.headers).send(errorBody(error))
}

/** Whether whoever asks would rather have a page than JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = accept?.search(/text\/html|application\/xhtml\+xml/i) ?? -1
  if (html < 0) return false
  const json = accept?.search(/application\/json/i) ?? -1
  return json < 0 || html < json
}

/** An authorization error that must not be redirected: a page for people, JSON for programs. */
export function renderError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: OAuthError
): FastifyReply {
  if (!prefersHtml(request.headers.accept)) return sendError(reply, error)
  const body = `<h1>This request cannot be carried out</h1>
<p>${escapeHtml(error.description ?? '')}</p>
<p>Go back to the application and try again. If it stays so, tell its makers: <code>${escapeHtml(error.code)}</code>.</p>`
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
  /** HTML; everything from outside in it is escaped. */
  readonly body: string
  /** The only script that runs. */
  readonly script?: string
}

/** A page of the protocol itself: self-contained, never framed, never kept. */
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

const SUBMIT = 'document.forms[0].submit()'

/** The form_post response mode: a page of ours that posts the parameters to the callback. */
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

const EXPOSED = 'WWW-Authenticate, DPoP-Nonce, Retry-After'
const ALLOWED_HEADERS =
  'authorization, content-type, accept, dpop, mcp-protocol-version, mcp-session-id, last-event-id'

/** Lets pages of other origins read the answer; without cookies, always. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { corsOrigins }: Pick<Settings, 'corsOrigins'>
): void {
  const { origin } = request.headers
  if (corsOrigins.length === 0) reply.header('access-control-allow-origin', '*')
  else {
    reply.header('vary', 'origin')
    if (origin === undefined || !corsOrigins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
  }
  reply.header('access-control-expose-headers', EXPOSED)
}

export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  methods: string
): FastifyReply {
  allowOrigin(request, reply, settings)
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', '600')
    .code(204)
    .send()
}
