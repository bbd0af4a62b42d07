// Evaluates what a long expression asks another thread for.
import { parseCollation } from '../bson/collation.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import { CommandError } from '../errors.ts'
import { MISSING, type Result, type Scope } from '../expressions/expression.ts'
import { expressionContext } from '../expressions/expression-context.ts'
import type { EvaluationOutcome } from '../expressions/long-expression.ts'
import { parseExpression } from '../expressions/parse-expression.ts'

function valueIn(doc: Doc, name: string): Result {
  return doc.has(name) ? doc.get(name) : MISSING
}

/** Evaluates what a request asks for. */
export function answerRequest(bytes: Uint8Array): EvaluationOutcome {
  const request = decodeDoc(bytes)
  let scope: Scope | undefined
  for (const variable of request.get('variables') as Doc[]) {
    const name = variable.get('name') as string
    scope = { name, value: valueIn(variable, 'value'), outer: scope }
  }
  const collation = parseCollation(request.get('collation') as Doc | undefined)
  try {
    const context = expressionContext({ scope, collation })
    const result = parseExpression(request.get('expression'), context).evaluate({
      root: valueIn(request, 'root'),
      scope,
      now: request.get('now') as Date
    })
    return result === MISSING ? {} : { value: encodeDoc(new Map([['value', result]])) }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { code, codeName, message, labels } = error
    return { error: { code, codeName, message, labels } }
  }
}
