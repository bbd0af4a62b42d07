// The context in which expressions are read: every operator, and the variables of a scope.
import type { Collation } from '../bson/collation.ts'
import type { Doc } from '../bson/value.ts'
import { type Expression, MISSING, type Scope } from './expression.ts'
import { parseWhole } from './long-expression.ts'
import { OPERATORS } from './operators.ts'
import { checkVariableName, type ExpressionContext } from './parse-expression.ts'

/** A context with the names of a scope and further ones. */
export function expressionContext(options: {
  readonly scope?: Scope | undefined
  readonly collation?: Collation | undefined
  readonly variables?: Iterable<string> | undefined
}): ExpressionContext {
  const variables = new Set(options.variables)
  for (let scope = options.scope; scope !== undefined; scope = scope.outer)
    variables.add(scope.name)
  return { variables, collation: options.collation, operators: OPERATORS }
}

/** The expressions of each `let`: what is begun again after a pause must know their answers. */
const LET_EXPRESSIONS = new WeakMap<Doc, Map<string, Expression>>()

/** The variables of a command's `let`, evaluated without a document. */
export function bindVariables(variables: Doc | undefined, now: Date): Scope | undefined {
  if (variables === undefined) return undefined
  const known = LET_EXPRESSIONS.get(variables) ?? new Map<string, Expression>()
  LET_EXPRESSIONS.set(variables, known)
  let scope: Scope | undefined
  for (const [name, value] of variables) {
    checkVariableName(name)
    const expression = known.get(name) ?? parseWhole(value, expressionContext({ scope }))
    known.set(name, expression)
    const result = expression.evaluate({ root: MISSING, scope, now })
    scope = { name, value: result, outer: scope }
  }
  return scope
}
