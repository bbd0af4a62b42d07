// What the kernel answers when a route does not: the body of each refusal, and errors without their text.
import { errorBody, type FieldFault, isDatabaseAway, KeelsonError, sendRefusal } from '@keelson/sdk'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** The word and the sentence for each status that a client can do something about. */
export const WORDS: Readonly<Record<number, readonly [error: string, message: string]>> = {
  400: ['bad_request', 'The request is invalid.'],
  401: ['unauthenticated', 'Sign in, or send valid credentials.'],
  403: ['forbidden', 'This needs another role.'],
  404: ['not_found', 'There is nothing at this address.'],
  405: ['method_not_allowed', 'This address does not take this method.'],
  406: ['not_acceptable', 'There is no answer in a form that the Accept header allows.'],
  408: ['request_timeout', 'The request did not arrive in time.'],
  409: ['conflict', 'The request does not fit the present state.'],
  410: ['gone', 'What was at this address has been removed.'],
  413: ['payload_too_large', 'The body of the request is too large.'],
  414: ['uri_too_long', 'The address is too long.'],
  415: ['unsupported_media_type', 'The body has a content type that this address does not take.'],
  422: ['unprocessable', 'The request cannot be carried out as it is.'],
  421: [
    'unknown_host',
    'The Host of this request is not a name of this platform. Add it to `auth.hosts` in the config.'
  ],
  429: ['too_many_requests', 'Too many requests. Try again after the seconds in Retry-After.'],
  431: ['headers_too_large', 'The headers of the request are too large.'],
  500: ['internal', 'Something went wrong on the server. It has been logged.'],
  503: ['unavailable', 'The server cannot do this now. Try again later.']
}

/** The word and the sentence of a status. */
function wordOf(status: number): readonly [error: string, message: string] {
  const fallback = status < 500 ? 400 : 500
  return WORDS[status] ?? WORDS[fallback] ?? ['internal', '']
}

function send(reply: FastifyReply, status: number): FastifyReply {
  const [error, message] = wordOf(status)
  return sendJson(reply, status, errorBody({ error, message }))
}

/** The response schemas of the route describe its own answers, and not this one. */
const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  sendRefusal(reply, { status, body })

export const answers = {
  badRequest: (reply: FastifyReply) => send(reply, 400),
  unauthenticated: (reply: FastifyReply) => send(reply, 401),
  forbidden: (reply: FastifyReply) => send(reply, 403),
  /** The contract of the demo fixes this body to the letter. */
  badOrigin: (reply: FastifyReply) => sendJson(reply, 403, { error: 'bad_origin' }),
  notFound: (reply: FastifyReply) => send(reply, 404),
  unknownHost: (reply: FastifyReply) => send(reply, 421),
  tooLong: (reply: FastifyReply) => send(reply, 414),
  noMultipart: (reply: FastifyReply) => send(reply, 415),
  tooMany: (reply: FastifyReply, seconds: number) =>
    send(reply.header('retry-after', String(seconds)), 429),
  /** The design fixes this body to the letter. */
  unavailable: (reply: FastifyReply, plugin: string, reason: string) =>
    sendJson(reply, 503, { error: 'plugin_unavailable', plugin, reason }),
  /** What the verifier of a machine route asked for. */
  refusal: sendRefusal
}

/**
 * Fastify's error handler for everything the kernel serves. What went wrong inside stays inside:
 * only errors that a client caused keep their message, without the secrets of the config.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  redact: (text: string) => string = (text) => text
): void {
  const status = statusOf(error)
  if (status >= 500) {
    request.log.error({ err: error }, 'a request failed')
    send(reply, status)
    return
  }
  // Anyone can cause these, so they are not news.
  request.log.debug({ err: error }, 'a request was refused')
  const [word] = wordOf(status)
  sendJson(reply, status, errorBody({ error: word, ...partsOf(error as FastifyError, redact) }))
}

function partsOf(error: FastifyError, redact: (text: string) => string) {
  const { message } = error
  if (KeelsonError.is(error)) {
    const { code, remedy } = error
    const sentence = message.slice(0, -remedy.length).trim() || message
    return { code, message: redact(sentence), fix: redact(remedy) }
  }
  const fields = error.validation?.map((fault) => fieldOf(fault, error.validationContext))
  return { message: redact(message), fields }
}

type ValidationFault = NonNullable<FastifyError['validation']>[number]

/** `/steps/2/value` of the validator as `steps[2].value`. */
function fieldOf(
  { instancePath, params, message = 'is invalid' }: ValidationFault,
  context: FastifyError['validationContext']
): FieldFault {
  const missing = params['missingProperty']
  const path = typeof missing === 'string' ? `${instancePath}/${missing}` : instancePath
  const plain = path
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')
  return { path: plain === '' ? (context ?? 'body') : plain, message }
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500
  if (isDatabaseAway(error)) return 503
  const { statusCode } = error as Partial<FastifyError>
  return statusCode !== undefined && statusCode >= 400 && statusCode <= 599 ? statusCode : 500
}
