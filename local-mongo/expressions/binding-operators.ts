// Operators that give names to values: $let, and those that go through a list.
import { isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import {
  type Evaluation,
  type Expression,
  isNothing,
  isTrue,
  orNull,
  type Result,
  type Scope,
  unionFields
} from './expression.ts'
import { namedDoc, needInteger, needList } from './operator-arguments.ts'
import {
  checkVariableName,
  type ExpressionContext,
  type OperatorParser,
  parseExpression,
  withVariables
} from './parse-expression.ts'
import { spend } from './turn-clock.ts'

function withScope(env: Evaluation, scope: Scope): Evaluation {
  return { root: env.root, scope, now: env.now }
}

const parseLet: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['vars', 'in'], [])
  const variables = object.get('vars')
  if (!isDoc(variables))
    throw commandError('Location10065', 'invalid parameter: expected an object (vars)')
  const bindings = [...variables].map(([variable, value]) => {
    if (variable !== 'CURRENT') checkVariableName(variable)
    return [variable, parseExpression(value, context)] as const
  })
  if (variables.has('CURRENT'))
    throw commandError('CommandNotSupported', '$let cannot rebind CURRENT in this engine')
  const body = parseExpression(object.get('in'), withVariables(context, variables.keys()))
  return {
    fields: unionFields(body.fields, ...bindings.map(([, expression]) => expression.fields)),
    evaluate: (env) => {
      let scope = env.scope
      for (const [variable, expression] of bindings) {
        scope = { name: variable, value: expression.evaluate(env), outer: scope }
      }
      return body.evaluate({ root: env.root, scope, now: env.now })
    }
  }
}

/** The name that `as` gives to an element; `this` without one. */
function elementName(value: Value, name: string): string {
  if (value === undefined) return 'this'
  if (typeof value !== 'string')
    throw commandError('FailedToParse', `${name} needs a string for 'as'`)
  checkVariableName(value)
  return value
}

interface ListLoop {
  readonly input: Expression
  readonly variable: string
  readonly body: Expression
}

function parseLoop(
  argument: ReturnType<typeof namedDoc>,
  key: string,
  context: ExpressionContext,
  name: string
): ListLoop {
  const variable = elementName(argument.get('as'), name)
  return {
    input: parseExpression(argument.get('input'), context),
    variable,
    body: parseExpression(argument.get(key), withVariables(context, [variable]))
  }
}

/** Calls `visit` with the body's value for each element; undefined when the input is null. */
function runLoop(
  { input, variable, body }: ListLoop,
  env: Evaluation,
  failed: (value: Result) => Value[],
  visit: (result: Result, element: Value) => boolean
): boolean {
  const list = input.evaluate(env)
  if (isNothing(list)) return false
  const scope: Scope = { name: variable, value: null, outer: env.scope }
  const inner = withScope(env, scope)
  for (const element of failed(list)) {
    spend()
    scope.value = element
    if (!visit(body.evaluate(inner), element)) break
  }
  return true
}

const parseMap: OperatorParser = (argument, context, name) => {
  const loop = parseLoop(namedDoc(name, argument, ['input', 'in'], ['as']), 'in', context, name)
  return {
    fields: unionFields(loop.input.fields, loop.body.fields),
    evaluate: (env) => {
      const mapped: Value[] = []
      const isList = runLoop(
        loop,
        env,
        (value) => needList(value, 'input to $map', 'Location16883'),
        (result) => mapped.push(orNull(result)) > 0
      )
      return isList ? mapped : null
    }
  }
}

const parseFilter: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['input', 'cond'], ['as', 'limit'])
  const loop = parseLoop(object, 'cond', context, name)
  const limit = object.has('limit') ? parseExpression(object.get('limit'), context) : undefined
  return {
    fields: unionFields(loop.input.fields, loop.body.fields, limit?.fields ?? new Set()),
    evaluate: (env) => {
      const most = filterLimit(limit?.evaluate(env))
      const kept: Value[] = []
      const isList = runLoop(
        loop,
        env,
        (value) => needList(value, 'input to $filter', 'Location28651'),
        (result, element) => {
          if (isTrue(result)) kept.push(element)
          return kept.length < most
        }
      )
      return isList ? kept : null
    }
  }
}

function filterLimit(value: Result): number {
  if (isNothing(value)) return Number.POSITIVE_INFINITY
  const limit = needInteger(value, '$filter: limit', 'Location327391')
  if (limit < 1) throw commandError('Location327392', '$filter: limit must be greater than 0')
  return limit
}

const parseReduce: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['input', 'initialValue', 'in'], [])
  const input = parseExpression(object.get('input'), context)
  const initial = parseExpression(object.get('initialValue'), context)
  const body = parseExpression(object.get('in'), withVariables(context, ['this', 'value']))
  return {
    fields: unionFields(input.fields, initial.fields, body.fields),
    evaluate: (env) => {
      const list = input.evaluate(env)
      if (isNothing(list)) return null
      const value: Scope = { name: 'value', value: initial.evaluate(env), outer: env.scope }
      const element: Scope = { name: 'this', value: null, outer: value }
      const inner = withScope(env, element)
      for (const item of needList(list, '$reduce input', 'Location40080')) {
        spend()
        element.value = item
        value.value = body.evaluate(inner)
      }
      return value.value
    }
  }
}

export const BINDING: Readonly<Record<string, OperatorParser>> = {
  $let: parseLet,
  $map: parseMap,
  $filter: parseFilter,
  $reduce: parseReduce
}
