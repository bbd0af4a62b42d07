// Calls an operation without HTTP: the parts are checked, and the answer is what its schema names.
import { type TSchema, Value } from '../typebox.ts'
import { Answered, type AnswerFacts } from './answered.ts'
import { inputSchemas, partCheck } from './input.ts'
import { type BoundOperation, type Call, type Operation, statusesOf } from './operation.ts'
import { isRefused, type Refused } from './refusals.ts'
import { faultRefusal, refusalAnswer } from './serve.ts'

/** What an operation is called with: values, or texts as an address has them. */
export interface CallParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** What an operation answered. */
export interface CallAnswer {
  readonly ok: true
  readonly status: number
  /** Plain JSON: what the schema of the answer names. */
  readonly body: unknown
  readonly facts: AnswerFacts
}

/** What a call came to, as the route says it. */
export type CallOutcome =
  | CallAnswer
  | { readonly ok: false; readonly status: number; readonly body: object }

type Optional = 'ifRevision' | 'callKey' | 'progress'

/** Who calls, and how. Without the rest a call has no revision and no key, and its progress is ignored. */
export type CallContext = Omit<Call<unknown>, 'host' | Optional> &
  Partial<Pick<Call<unknown>, Optional>>

const PLAIN = { ifRevision: undefined, callKey: undefined, progress: () => undefined }

/** Answers as the route does. @throws what `run` throws, but for faults of the input */
export async function callOperation(
  bound: BoundOperation,
  parts: CallParts,
  call: CallContext
): Promise<CallOutcome> {
  const result = await runOperation(bound, parts, call)
  return result.ok ? result : { ok: false, ...refusalAnswer(bound.operation, result) }
}

/**
 * As `callOperation`, with a refusal as the value that it is: for operations that answer by another one.
 *
 * @throws what `run` throws, but for faults of the input
 */
export async function runOperation(
  { operation, host }: BoundOperation,
  parts: CallParts,
  call: CallContext
): Promise<CallAnswer | Refused> {
  try {
    const input = { ...checkedParts(operation, parts), files: noFiles }
    const run = operation.run as (input: unknown, call: Call<unknown>) => unknown
    const result = await run(input, { ...PLAIN, ...call, host })
    if (isRefused(result)) return result
    const { body, facts } = result instanceof Answered ? result : { body: result, facts: {} }
    const status = facts.status ?? statusesOf(operation)[0] ?? 200
    return { ok: true, status, body: readable(operation.answer, body), facts }
  } catch (error) {
    const refused = faultRefusal(operation, error)
    if (refused === undefined) throw error
    return refused
  }
}

/** @throws InvalidInput */
function checkedParts(operation: Operation<never>, { params, query, body }: CallParts) {
  const schemas = inputSchemas(operation)
  const checked = (part: keyof typeof schemas, given: unknown): unknown => {
    const schema = schemas[part]
    if (schema === undefined) return undefined
    const result = partCheck(schema, part, operation)(given)
    if ('error' in result) throw result.error
    return result.value
  }
  return {
    params: checked('params', params ?? {}),
    query: checked('querystring', query ?? {}),
    body: checked('body', body)
  }
}

async function* noFiles(): AsyncGenerator<never> {}

/** A value as plain JSON, without what the schema of an answer does not name: as over HTTP. */
export const readable = (answer: TSchema, value: unknown): unknown =>
  Value.Clean(answer, JSON.parse(JSON.stringify(value ?? null)))
