// Makes a Fastify route of an operation: for the kernel, for plain apps, and for those who mirror operations.
import { Readable } from 'node:stream'
import type {
  FastifyError,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteOptions
} from 'fastify'
import { sdkErrors } from '../define-plugin.ts'
import { KeelsonError } from '../errors.ts'
import { acceptEmptyJson } from '../http/empty-json.ts'
import { type ErrorBodyParts, errorBody } from '../http/error-body.ts'
import type { Actor } from './actor.ts'
import { Answered } from './answered.ts'
import { InvalidInput, inputSchemas, partCheck, type RequestPart } from './input.ts'
import {
  type BoundOperation,
  type Call,
  type Operation,
  type OperationInput,
  statusesOf
} from './operation.ts'
import { filesOf, isMultipart, UploadRejected } from './read-upload.ts'
import { isRefused, type RefusalTable, type Refused } from './refusals.ts'
import type { UploadLimits } from './upload.ts'

/** What operations are served with. */
export interface ServeOptions {
  /** The address of the route on the scope that it is added to. */
  readonly url: string
  /** Aborted when the host closes. */
  readonly closing: AbortSignal
  actorOf(request: FastifyRequest): Actor
  /** Whether a caller has a permission, by its whole name. */
  may(request: FastifyRequest, permission: string): boolean | Promise<boolean>
  /** Why a caller may not, before the body is looked at; undefined lets it in. */
  refusal?(request: FastifyRequest): Refused | undefined | Promise<Refused | undefined>
  /** What `refusal` may answer besides the refusals of the operation. */
  readonly refusals?: RefusalTable
  /** Of the route, as `{ verify }` of a machine route. */
  readonly config?: object
  /** Names a call to those before it. */
  callKeyOf?(request: FastifyRequest): string | undefined
}

/** What a route carries in its config: the operation that it is. */
export const OPERATION = Symbol.for('keelson.operation')

/** Bytes of a JSON body where an operation does not say. */
const BODY_LIMIT = 1_048_576

/** What every operation may be refused with, beside its own. */
export const OWN_REFUSALS = {
  forbidden: {
    status: 403,
    message: 'Your role does not allow this.',
    fix: 'Ask an administrator for the permission.'
  },
  validation_failed: {
    status: 400,
    message: 'The request is invalid.',
    fix: 'Correct the fields that the answer names.'
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body has a content type that this address does not take.',
    fix: 'Send the content type that the documents name.'
  },
  upload_rejected: {
    status: 413,
    message: 'The upload is too large.',
    fix: 'Send fewer or smaller files.'
  }
} as const satisfies RefusalTable

/** The operation that a route is; undefined for any other. */
export const operationOf = (config: unknown): Operation<never> | undefined =>
  (config as { readonly [OPERATION]?: Operation<never> } | undefined)?.[OPERATION]

/** Says how each operation is served. */
export type ServeEach = (operation: Operation<never>) => ServeOptions

/** A Fastify plugin with the routes of operations. */
export function operationRoutes(
  operations: readonly BoundOperation[],
  optionsOf: ServeEach
): FastifyPluginAsync {
  return async (app) => {
    acceptEmptyJson(app)
    for (const type of new Set(operations.flatMap(({ operation }) => bodyTypeOf(operation)))) {
      if (!app.hasContentTypeParser(type))
        app.addContentTypeParser(type, (_request, body, done) => done(null, body))
    }
    for (const bound of operations) app.route(operationRoute(bound, optionsOf(bound.operation)))
  }
}

const bodyTypeOf = ({ upload }: Operation<never>): readonly string[] =>
  upload?.kind === 'body' ? [upload.contentType] : []

/** Refuses a caller without the permission of an operation: for apps whose guard does not ask. */
export const permissionRefusal =
  ({ access: { permission } }: Operation<never>, may: ServeOptions['may']) =>
  async (request: FastifyRequest): Promise<Refused | undefined> =>
    permission === undefined || (await may(request, permission))
      ? undefined
      : { ok: false, code: 'forbidden' }

/** The Fastify route of an operation. Everything is prepared here. */
function operationRoute({ operation, host }: BoundOperation, options: ServeOptions): RouteOptions {
  const { method, summary, upload, id, bodyLimit = BODY_LIMIT } = operation
  const schemas: Readonly<Record<string, unknown>> = inputSchemas(operation)
  const [status = 200] = statusesOf(operation)
  const response = Object.fromEntries(statusesOf(operation).map((each) => [each, operation.answer]))
  const described = { operationId: id, summary }
  const run = operation.run as (input: unknown, call: Call<unknown>) => unknown
  return {
    method,
    url: operation.longParam === true ? options.url.replace(LAST_PARAM, '/*') : options.url,
    schema: { ...described, ...schemas, response } as object,
    config: { ...options.config, [OPERATION]: operation } as object,
    bodyLimit: upload === undefined ? bodyLimit : bytesOf(upload),
    validatorCompiler: ({ schema, httpPart }) =>
      partCheck(schema as never, httpPart as RequestPart, operation) as never,
    ...beforeInput(operation, options),
    errorHandler: (error, _request, reply) => answerError(operation, error, reply),
    handler(request, reply) {
      const result = run(
        new RequestInput(request, upload),
        new RequestCall(request, reply, host, options)
      )
      return result instanceof Promise
        ? result.then((settled) => answer(operation, reply, settled, status))
        : answer(operation, reply, result, status)
    }
  }
}

/** What `run` has returned, on the wire. */
const answer = (
  operation: Operation<never>,
  reply: FastifyReply,
  result: unknown,
  status: number
) => (isRefused(result) ? sendRefusal(operation, reply, result) : send(reply, result, status))

/** Runs before the input is checked, where there is something to do: a caller without the right learns nothing. */
function beforeInput(
  operation: Operation<never>,
  options: ServeOptions
): Pick<RouteOptions, 'preValidation'> {
  const { longParam: isLong, path, method } = operation
  const longParam = isLong && LAST_PARAM.exec(path)?.[1]
  // What has no body cannot have a wrong one.
  if (options.refusal === undefined && method === 'GET' && longParam === undefined) return {}
  const served = { id: operation.id, errors: { ...options.refusals, ...operation.errors } }
  return {
    preValidation: async (request, reply) => {
      if (longParam !== undefined) request.params = withParam(request.params, longParam)
      const refused = await options.refusal?.(request)
      if (refused !== undefined) return sendRefusal(served, reply, refused)
      const wrong = wrongBody(operation, request)
      return wrong === undefined ? undefined : sendRefusal(operation, reply, wrong)
    }
  }
}

/** The input of one call over HTTP. */
class RequestInput implements OperationInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly #request: FastifyRequest
  readonly #upload: UploadLimits | undefined

  constructor(request: FastifyRequest, upload: UploadLimits | undefined) {
    this.params = request.params
    this.query = request.query
    this.body = request.body
    this.#request = request
    this.#upload = upload
  }

  /** A function of its own: `run` takes its input apart. */
  get files(): OperationInput['files'] {
    return () => filesOf(this.#request, this.#upload)
  }
}

const LAST_PARAM = /\/:([A-Za-z]+)$/

/** What Fastify calls `*`, by its name. */
function withParam(params: unknown, name: string): object {
  const { '*': rest, ...others } = params as Readonly<Record<string, unknown>>
  return { ...others, [name]: rest }
}

/** Bytes of a whole upload, with room for the frame of a form. */
const bytesOf = (upload: UploadLimits): number =>
  upload.kind === 'body' ? upload.maxFileBytes : upload.maxFiles * upload.maxFileBytes + BODY_LIMIT

/** One call over HTTP. What few operations ask for is made when it is asked for. */
class RequestCall implements Call<unknown> {
  readonly host: unknown
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #options: ServeOptions
  #actor: Actor | undefined
  #signal: AbortSignal | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, host: unknown, options: ServeOptions) {
    this.host = host
    this.#request = request
    this.#reply = reply
    this.#options = options
  }

  get log() {
    return this.#request.log
  }

  get actor(): Actor {
    this.#actor ??= this.#options.actorOf(this.#request)
    return this.#actor
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#options.closing, goneSignal(this.#reply)])
    return this.#signal
  }

  /** A function of its own: `run` takes its call apart. */
  get may(): Call<unknown>['may'] {
    return (permission) => this.#options.may(this.#request, permission)
  }

  get ifRevision(): number | undefined {
    return revisionOf(this.#request.headers['if-match'])
  }

  get callKey(): string | undefined {
    return this.#options.callKeyOf?.(this.#request)
  }

  /** Over HTTP nobody listens. */
  progress(): void {}
}

/** Aborted when the caller leaves before the answer is written. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** `*` and no header take the newest revision. */
function revisionOf(tag: string | undefined): number | undefined {
  if (tag === undefined || tag === '*') return undefined
  return Number(/^(?:W\/)?"(\d{1,15})"$/.exec(tag)?.[1] ?? Number.NaN)
}

function wrongBody({ upload }: Operation<never>, request: FastifyRequest): Refused | undefined {
  const isForm = isMultipart(request)
  const isStream = request.body instanceof Readable
  const fits = upload?.kind === 'body' ? isStream : !isStream && (upload !== undefined || !isForm)
  return fits ? undefined : { ok: false, code: 'unsupported_media_type' }
}

/** Answers are of one caller and one moment. */
const UNCACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function send(reply: FastifyReply, result: unknown, status: number): FastifyReply {
  reply.headers(UNCACHED)
  if (!(result instanceof Answered)) return reply.code(status).send(result)
  const { revision, nextCursor, headers = {} } = result.facts
  reply.headers(headers)
  if (revision !== undefined) reply.header('etag', `"${revision}"`)
  if (nextCursor !== undefined) reply.header('x-next-cursor', nextCursor)
  return reply.code(result.facts.status ?? status).send(result.body)
}

/** The status and the body that a refusal is answered with. Every mirror of an operation asks this. */
export function refusalAnswer(
  { errors, id }: Pick<Operation<never>, 'errors' | 'id'>,
  { ok: _ok, code, message, fix, fields, more, ...others }: Refused
): { readonly status: number; readonly body: object } {
  const own: RefusalTable = OWN_REFUSALS
  const row = Object.hasOwn(errors, code) ? errors[code] : own[code]
  if (row === undefined) throw sdkErrors.KRN_REFUSAL_UNDECLARED({ operation: id, refusal: code })
  const sentence = message ?? row.message
  const parts: ErrorBodyParts & { readonly error: string } = {
    error: row.isVerbatim === true ? sentence : code,
    code,
    message: sentence,
    fix: fix ?? row.fix,
    fields
  }
  return { status: row.status, body: errorBody(parts, { ...others, ...more }) }
}

function sendRefusal(
  operation: Pick<Operation<never>, 'errors' | 'id'>,
  reply: FastifyReply,
  refused: Refused
): FastifyReply {
  const { status, body } = refusalAnswer(operation, refused)
  const { retryAfterSeconds } = refused
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply.headers(UNCACHED).code(status).send(body)
}

/** Faults of the input; the rest is for the error handler above. */
function answerError(operation: Operation<never>, error: FastifyError, reply: FastifyReply): void {
  const refused = faultRefusal(operation, error)
  if (refused === undefined) throw error
  sendRefusal(operation, reply, refused)
}

/** What an error says about the input of an operation; undefined for any other error. */
export const faultRefusal = (operation: Operation<never>, error: unknown): Refused | undefined =>
  badId(operation, error) ?? refusalOf(error)

/** An id in the address of a form that no row can have, where the operation has a word for it. */
function badId({ errors }: Operation<never>, error: unknown): Refused | undefined {
  if (!(error instanceof InvalidInput) || error.part !== 'params' || !('bad_id' in errors))
    return undefined
  const sentences = error.fields.map(({ path, message }) => `${path} in the address ${message}.`)
  return { ok: false, code: 'bad_id', message: sentences.join(' '), fields: error.fields }
}

/** What an error says about the input; undefined for any other error. */
export function refusalOf(error: unknown): Refused | undefined {
  if (error instanceof InvalidInput) {
    const { message, fields } = error
    return { ok: false, code: 'validation_failed', message, fields }
  }
  if (error instanceof UploadRejected)
    return { ok: false, code: 'upload_rejected', message: error.message }
  if (!KeelsonError.is(error) || error.status !== 400) return undefined
  const { path, problem } = error.details as { readonly path?: unknown; readonly problem?: unknown }
  if (typeof path !== 'string' || typeof problem !== 'string') return undefined
  const { message, remedy, code } = error
  return {
    ok: false,
    code: 'validation_failed',
    message: message.endsWith(remedy) ? message.slice(0, -remedy.length).trim() : message,
    fix: remedy,
    fields: [{ path, message: problem }],
    more: { code }
  }
}
