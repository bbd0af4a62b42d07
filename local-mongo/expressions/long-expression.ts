// Expressions that may be given up when they take long, and be answered from another thread.
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { CommandError, type ErrorLabel } from '../errors.ts'
import { type Evaluation, type Expression, MISSING, type Result } from './expression.ts'
import { type ExpressionContext, parseExpression } from './parse-expression.ts'
import { isTurnFresh, TurnOver } from './turn-clock.ts'

/** What another thread has made of a request: a value, or the error that the expression ends with. */
export interface EvaluationOutcome {
  /** Absent for a missing value. */
  readonly value?: Uint8Array
  readonly error?: {
    readonly code: number
    readonly codeName: string
    readonly message: string
    readonly labels: readonly ErrorLabel[]
  }
}

/**
 * Thrown by an expression that is too long for one turn. Once `request` has been answered and
 * `settle` called, evaluating it again on the same document gives the answer at once.
 */
export class TakesLong extends Error {
  override readonly name = 'TakesLong'
  /** The expression and all it is evaluated against, for `answerRequest`. */
  readonly request: Uint8Array
  readonly settle: (outcome: EvaluationOutcome) => void

  constructor(request: Uint8Array, settle: (outcome: EvaluationOutcome) => void) {
    super('The expression takes long')
    this.request = request
    this.settle = settle
  }
}

/**
 * Reads an expression that is evaluated by itself, not as a part of another. Evaluating it throws
 * TurnOver when it must be begun again in another turn, and TakesLong when no turn is long enough.
 */
export function parseWhole(source: Value, context: ExpressionContext): Expression {
  const expression = parseExpression(source, context)
  const isPlain = expression.constant !== undefined || !(isDoc(source) || Array.isArray(source))
  return isPlain ? expression : interruptible(expression, source, context)
}

interface Answer {
  readonly request: Uint8Array
  readonly outcome: EvaluationOutcome
}

function interruptible(
  expression: Expression,
  source: Value,
  context: ExpressionContext
): Expression {
  /** Kept until another document is asked about: what is begun again may ask several times. */
  let answer: Answer | undefined
  let hasWaited = false
  const interrupted = (error: TurnOver, env: Evaluation, wasFresh: boolean): Error => {
    hasWaited = !hasWaited && !wasFresh
    if (hasWaited) return error
    const request = requestOf(source, context, env)
    return new TakesLong(request, (outcome) => {
      answer = { request, outcome }
    })
  }
  return {
    fields: expression.fields,
    evaluate: (env) => {
      if (answer !== undefined) {
        if (Buffer.compare(answer.request, requestOf(source, context, env)) === 0)
          return resultOf(answer.outcome)
        answer = undefined
      }
      const wasFresh = isTurnFresh()
      try {
        return expression.evaluate(env)
      } catch (error) {
        throw error instanceof TurnOver ? interrupted(error, env, wasFresh) : error
      }
    }
  }
}

function requestOf(
  source: Value,
  { collation }: ExpressionContext,
  { root, scope, now }: Evaluation
): Uint8Array {
  const request: Doc = new Map<string, Value>([
    ['expression', source],
    ['now', now]
  ])
  if (collation) request.set('collation', collation.spec)
  if (root !== MISSING) request.set('root', root)
  const variables: Doc[] = []
  for (let place = scope; place !== undefined; place = place.outer) {
    const variable: Doc = new Map([['name', place.name]])
    if (place.value !== MISSING) variable.set('value', place.value)
    variables.push(variable)
  }
  request.set('variables', variables.reverse())
  return encodeDoc(request)
}

function resultOf({ value, error }: EvaluationOutcome): Result {
  if (error) throw new CommandError(error.code, error.codeName, error.message, error)
  return value === undefined ? MISSING : decodeDoc(value).get('value')
}
