// Evaluates single expressions over plain documents.
import { doc, plain, toValue } from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import type { Value } from '../bson/value.ts'
import { MISSING, type Result } from './expression.ts'
import { bindVariables, expressionContext } from './expression-context.ts'
import { parseExpression } from './parse-expression.ts'
import { stopClock } from './turn-clock.ts'

type Plain = Readonly<Record<string, unknown>>

export const NOW = new Date('2026-03-04T05:06:07.089Z')

/** The value of an expression, with its type. */
export function evaluateRaw(
  expression: unknown,
  document: Plain = {},
  variables: Plain = {}
): Result {
  // No other client waits here.
  stopClock()
  const scope = bindVariables(doc(variables), NOW)
  const context = expressionContext({ scope, collation: parseCollation(undefined) })
  return parseExpression(toValue(expression), context).evaluate({
    root: doc(document),
    scope,
    now: NOW
  })
}

/** The value of an expression as plain JavaScript; `'missing'` where there is none. */
export function evaluate(
  expression: unknown,
  document: Plain = {},
  variables: Plain = {}
): unknown {
  const result = evaluateRaw(expression, document, variables)
  return result === MISSING ? 'missing' : plain(result as Value)
}
