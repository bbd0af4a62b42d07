// Makes an operation: one API call as a value. Its route, manifest entry, documents, tool and types come from it.
import type { Host } from '../host.ts'
import type { Sendable } from '../route.ts'
import type { Static, TSchema } from '../typebox.ts'
import type { Answered } from './answered.ts'
import type { Call, Operation, OperationFacts, OperationInput } from './operation.ts'
import type { RefusalRow, Refused } from './refusals.ts'

type Given<S> = [S] extends [never] ? undefined : S extends TSchema ? Static<S> : never

/** What `run` gets, with the types of its schemas. */
export interface TypedInput<P, Q, B> extends OperationInput {
  readonly params: Given<P>
  readonly query: Given<Q>
  readonly body: Given<B>
}

type MayReturn<A, Word extends string> =
  | Sendable<Given<A>>
  | Answered<Sendable<Given<A>>>
  | Refused<Word>

/** An operation as it is written. */
export interface OperationOptions<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends TSchema,
  Word extends string,
  H
> extends OperationFacts {
  /** Of the `:name` parts of the path. */
  readonly params?: P
  /** A flat object. Unknown parameters are refused with the nearest name. */
  readonly query?: Q
  readonly body?: B
  /** Of the answer, written for readers. What it does not name is left out. */
  readonly answer: A
  /** Rows of the package's refusals: `refusals.only('not_found')`. */
  readonly errors?: Readonly<Record<Word, RefusalRow>>
  run(input: TypedInput<P, Q, B>, call: Call<H>): MayReturn<A, Word> | Promise<MayReturn<A, Word>>
}

/**
 * Makes an operation: the only way to write an API of our own. Routes of a standard, streams and files are
 * `host.route`.
 *
 * @example
 * const publish = operation({
 *   id: 'mailer.templates.publish',
 *   method: 'POST',
 *   path: '/templates/:slug/publish',
 *   summary: 'Publishes the draft',
 *   access: { auth: 'admin', permission: 'mailer.publish', tenants: '${adminTenants}' },
 *   effect: 'release',
 *   params: Type.Object({ slug: Type.String() }),
 *   answer: Type.Object({ version: Type.Integer() }),
 *   errors: refusals.only('not_found'),
 *   run: ({ params }, { host, actor }: Call<MailerContext>) => publish(host, params.slug, actor)
 * })
 */
export function operation<
  P extends TSchema = never,
  Q extends TSchema = never,
  B extends TSchema = never,
  A extends TSchema = never,
  const Word extends string = never,
  H = Host
>(options: OperationOptions<P, Q, B, A, Word, H>): Operation<H> {
  const { params, query, body, errors = {} } = options
  // Whoever serves it calls `run` with what the schemas let through alone.
  return Object.freeze({ ...options, params, query, body, errors }) as unknown as Operation<H>
}
