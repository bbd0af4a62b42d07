// An operation as a value, and what a call of it holds.
import type { FastifyBaseLogger } from 'fastify'
import type { Band, ManifestRoute } from '../manifest/schema.ts'
import type { TSchema } from '../typebox.ts'
import type { Actor } from './actor.ts'
import type { RefusalRow } from './refusals.ts'
import type { UploadedFile, UploadLimits } from './upload.ts'

/** What an operation does to the world: what a token may call is decided by it. */
export type Effect = NonNullable<ManifestRoute['effect']>

/** Who may call an operation. */
export interface Access {
  /** The band: public, viewer, admin, machine or bearer. */
  readonly auth: Band
  /** As `mailer.publish`: the plugin before the dot decides who has it. Default: everyone of the band. */
  readonly permission?: string
  /** What an access token needs, of a person or of an agent. */
  readonly scopes?: readonly string[]
  /** `${setting}`: the tenants whose viewers are admitted, besides those of the platform. Default: all. */
  readonly tenants?: string
}

/** What a client should know before it calls, or lets a model call. */
export interface OperationHints {
  /** Calling it twice is as good as once. */
  readonly idempotent?: true
  /** It may remove or overwrite. */
  readonly destructive?: true
  /** It may take seconds, and says how far it is. */
  readonly long?: true
  /** It mails people, at once or by what it starts. */
  readonly mails?: true
  /** Carried out again it does more, and no key tells: after a crash it is not repeated. */
  readonly once?: true
}

/** What `run` gets beside its input. */
export interface Call<H> {
  readonly actor: Actor
  /** What the operation was served with: the host of the plugin, or what the plugin gave in its place. */
  readonly host: H
  /** Aborted when the caller is gone or the host closes. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** Whether the caller has a permission, as `mailer.publish`. That of the operation was asked before. */
  may(permission: string): boolean | Promise<boolean>
  /** The revision that the caller edited, of `If-Match`; NaN for one that no row can have. */
  readonly ifRevision: number | undefined
  /** Names the call to the same one before it: what it makes is keyed by it, so that nothing is made twice. */
  readonly callKey: string | undefined
  /** Says how far a long operation is, to callers that want to know. */
  progress(done: number, total: number, message: string): void
}

/** What `run` gets: valid, with defaults filled in. */
export interface OperationInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The files of an upload, one after the other; none without `upload`. */
  files(): AsyncIterable<UploadedFile>
}

/** What an operation says about itself without its schemas. */
export interface OperationFacts {
  /** `<plugin>.<things>.<verb>`, unique on the platform: `mailer.templates.publish`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the mount of the plugin, or below `base`. */
  readonly path: string
  /** An absolute address that `path` is below, in place of the mount. */
  readonly base?: string
  /** The last parameter may be longer than a host allows for parameters (Fastify: 100 characters). */
  readonly longParam?: true
  /** Unknown query parameters change nothing, and an empty one counts as absent: for reads that filter. */
  readonly openQuery?: true
  /** One line, for every document. */
  readonly summary: string
  readonly access: Access
  readonly effect: Effect
  /** Of the answer. The first is the default; 200 where none is given. */
  readonly status?: number | readonly number[]
  readonly hints?: OperationHints
  /** Offered to models as an MCP tool of this name: snake_case. */
  readonly tool?: string
  /** Open to agent tokens, with the scopes of `access`. */
  readonly agent?: true
  readonly rateLimit?: ManifestRoute['rateLimit']
  /** Bytes of a JSON body. Default 1 MiB. */
  readonly bodyLimit?: number
  readonly upload?: UploadLimits
}

/** An operation. `H` is what it must be served with. */
export interface Operation<in H> extends OperationFacts {
  readonly params: TSchema | undefined
  readonly query: TSchema | undefined
  readonly body: TSchema | undefined
  readonly answer: TSchema
  readonly errors: Readonly<Record<string, RefusalRow>>
  /** Called with checked input alone. A throw is answered by its code and status, or with 500. */
  run(input: OperationInput, call: Call<H>): unknown
}

/** An operation with what it is served with, for those who serve operations of several plugins. */
export interface BoundOperation {
  /** `never`: only `host` fits it. */
  readonly operation: Operation<never>
  readonly host: unknown
}

/** Binds operations to what they are served with. */
export const bindOperations = <H>(
  operations: readonly Operation<H>[],
  host: H
): readonly BoundOperation[] => operations.map((operation) => ({ operation, host }))

/** The statuses of the answer; the first is the default. */
export const statusesOf = ({ status = 200 }: Pick<OperationFacts, 'status'>): readonly number[] =>
  typeof status === 'number' ? [status] : status
