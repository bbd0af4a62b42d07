// Makes an operation: one API call as a value. Its route, manifest entry, documents, tool and types come from it.
import type { Host } from '../host.ts'
import type { Sendable } from '../route.ts'
import type { Static, TSchema } from '../typebox.ts'
import type { Answered } from './answered.ts'
import type { Call, Operation, OperationFacts, OperationInput } from './operation.ts'
import type { RefusalTable, Refused } from './refusals.ts'

type Given<S> = [S] extends [never] ? undefined : S extends TSchema ? Static<S> : never

/** What `run` gets, with the types of its schemas. */
export interface TypedInput<P, Q, B> extends OperationInput {
  readonly params: Given<P>
  readonly query: Given<Q>
  readonly body: Given<B>
}

/** Words that no operation needs to name. */
type OwnWord = 'validation_failed' | 'forbidden'

type MayReturn<A, E> =
  | Sendable<Given<A>>
  | Answered<Sendable<Given<A>>>
  | Refused<(keyof E & string) | OwnWord>

/** An operation as it is written. */
export interface OperationOptions<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends TSchema,
  E extends RefusalTable,
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
  readonly errors?: E
  run(input: TypedInput<P, Q, B>, call: Call<H>): MayReturn<A, E> | Promise<MayReturn<A, E>>
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
  E extends RefusalTable = Readonly<Record<never, never>>,
  H = Host
>(options: OperationOptions<P, Q, B, A, E, H>): Operation<H> {
  const { params, query, body, errors = {} } = options
  // Whoever serves it calls `run` with what the schemas let through alone.
  return Object.freeze({ ...options, params, query, body, errors }) as unknown as Operation<H>
}
