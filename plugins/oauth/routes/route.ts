// A route as data, so that a plain host and the kernel serve the same.
import type { CorsPolicy, TSchema } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'

export type ResponseSchemas = Readonly<Record<number | string, TSchema>>

export interface RouteSchema {
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly body?: TSchema
  /** Content types of the body, where it is not JSON. */
  readonly consumes?: readonly string[]
  readonly response?: ResponseSchemas
}

export interface ProtocolRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly schema: RouteSchema
  /** Default: `checkedByHandler`. */
  readonly validator?: FastifySchemaCompiler<TSchema>
  /** Errors in the shape of our own API, as its page reads them, and not in that of OAuth. */
  readonly isOwn?: boolean
  /** Its addresses may hold tokens and handles: they are not logged, and HEAD is not answered. */
  readonly isPrivate?: boolean
  /** For a machine route of the kernel: checks credentials before the body is read. */
  readonly verify?: (request: FastifyRequest) => unknown
  /** Pages of other origins may call it. */
  readonly cors?: CorsPolicy | undefined
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** The largest body that any route takes, bytes. */
export const BODY_LIMIT = 32_768
