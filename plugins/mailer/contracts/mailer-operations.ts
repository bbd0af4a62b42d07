// mailer.operations/v1: the operations of the mailer without HTTP, in the name of who acts.
import type { Actor, BoundOperation, Refused } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailerOperationTypes } from './operation-types.ts'

/** The id of an operation: `mailer.templates.publish`. */
export type MailerOperationId = keyof MailerOperationTypes

/** What an operation takes: `params`, `query` and `body`, as far as it has them. */
export type MailerInput<Id extends MailerOperationId> = MailerOperationTypes[Id]['input']

/** What an operation answers, as plain JSON: times are texts. */
export type MailerAnswer<Id extends MailerOperationId> = MailerOperationTypes[Id]['answer']

/** Words that an operation refuses a call with. */
export type MailerRefusal<Id extends MailerOperationId> =
  | MailerOperationTypes[Id]['refusal']
  | 'validation_failed'
  | 'forbidden'

/** What a call came to. */
export type MailerResult<Id extends MailerOperationId> =
  | {
      readonly ok: true
      readonly answer: MailerAnswer<Id>
      /** Of a list: the `cursor` of the next page; left out on the last. */
      readonly nextCursor?: string
    }
  | Refused<MailerRefusal<Id>>

/** What a call may say besides its input. */
export interface MailerCallOptions {
  /** The revision that the caller edited; another one is refused. */
  readonly ifRevision?: number
  /** The same key is the same call. */
  readonly callKey?: string
  readonly signal?: AbortSignal
}

/** The operations in the name of one actor. */
export interface ActingOperations {
  /**
   * Calls an operation: its input is checked, the right of the actor is asked for, its change is audited under
   * the name of the actor, and the answer has what its schema names.
   *
   * @example
   * const result = await host.use(mailerOperations).as(actor).call('mailer.flows.pause', { params: { slug } })
   * if (!result.ok) return result
   */
  call<Id extends MailerOperationId>(
    id: Id,
    input: MailerInput<Id>,
    options?: MailerCallOptions
  ): Promise<MailerResult<Id>>
}

/** A route of the admin API that answers a file. */
export interface MailerFile {
  readonly method: 'GET'
  /** Below the API. */
  readonly path: string
  readonly summary: string
  /** Reads the query, audits, and answers. */
  send(request: FastifyRequest, reply: FastifyReply, actor: Actor): Promise<FastifyReply>
}

/** An error that the mailer throws. */
export interface MailerErrorRow {
  /** `{name}` is filled in. */
  readonly message: string
  readonly remedy: string
  readonly status: number
}

/** The operations of the mailer's admin API. */
export interface MailerOperations {
  /** For those who act: a person, a token, a plugin for itself (`systemActor`). */
  as(actor: Actor): ActingOperations
  /**
   * The mailer's own, bound, with their schemas: for those who offer them elsewhere, as an API for tokens does.
   * They check what a caller may do themselves.
   */
  readonly own: readonly BoundOperation[]
  /** Those of other plugins (`mailer.admin-api/v1`), complete when all have registered. */
  contributed(): readonly BoundOperation[]
  readonly files: readonly MailerFile[]
  /** Codes of the errors that the mailer throws. */
  readonly errors: Readonly<Record<string, MailerErrorRow>>
}

/**
 * Every operation of the mailer, as its admin API has them, for plugins in the same process. Sending one mail, and
 * what plugins around the mailer read, is `mailerCore`.
 */
export const mailerOperations: Capability<MailerOperations> = defineCapability<MailerOperations>(
  'mailer.operations/v1',
  Type.Object(requiredFunctions('as', 'contributed'))
)
