// What a nested pipeline's filter says that an index of the collection can answer.
import { type Doc, isDoc, TYPE, typeCode, type Value } from '../bson/value.ts'
import { type Evaluation, type Expression, MISSING } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'

/** `$expr` says that a field equals an expression of variables alone. */
export interface Equality {
  readonly path: string
  readonly expression: Expression
}

/** The conditions of a filter that hold no `$expr`: those may be asked of the collection. */
export function withoutVariables(filter: Doc): Doc[] {
  return [...filter]
    .filter(([, value]) => !mentionsExpression(value))
    .filter(([name]) => name !== '$expr')
    .map(([name, value]) => new Map([[name, value]]))
}

function mentionsExpression(value: Value): boolean {
  if (Array.isArray(value)) return value.some(mentionsExpression)
  return (
    isDoc(value) &&
    [...value].some(([name, inner]) => name === '$expr' || mentionsExpression(inner))
  )
}

/** Equalities that a filter's `$expr` demands, at its top or within `$and`. */
export function equalitiesOf(filter: Doc, context: ExpressionContext): Equality[] {
  return [...filter].flatMap(([name, value]) => {
    if (name === '$expr') return fromExpression(value, context)
    if (name !== '$and' || !Array.isArray(value)) return []
    return value.flatMap((part) => (isDoc(part) ? equalitiesOf(part, context) : []))
  })
}

function fromExpression(value: Value, context: ExpressionContext): Equality[] {
  if (!isDoc(value)) return []
  const and = value.get('$and')
  if (Array.isArray(and)) return and.flatMap((part) => fromExpression(part, context))
  const pair = value.get('$eq')
  if (!Array.isArray(pair) || pair.length !== 2) return []
  const [left, right] = pair as [Value, Value]
  return equality(left, right, context) ?? equality(right, left, context) ?? []
}

function equality(field: Value, other: Value, context: ExpressionContext): Equality[] | undefined {
  if (typeof field !== 'string' || !/^\$[^$]/.test(field)) return undefined
  const expression = parseWhole(other, context)
  if (expression.fields === 'all' || expression.fields.size > 0) return undefined
  return [{ path: field.slice(1), expression }]
}

/** The equalities as filters. A query takes more than `$expr` does, never less. */
export function bindEqualities(equalities: readonly Equality[], env: Evaluation): Doc[] {
  return equalities.flatMap(({ path, expression }) => {
    const value = expression.evaluate(env)
    // A dotted path through arrays means lists to `$expr`: those an index knows only by element.
    if (value === MISSING || value === undefined || Array.isArray(value)) return []
    if (typeCode(value) === TYPE.regex) return []
    return [new Map([[path, new Map([['$eq', value]])]])]
  })
}
