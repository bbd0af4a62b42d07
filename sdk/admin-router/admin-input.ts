// Holds the parts of a request to the schemas of a route.
import type { FastifySchemaCompiler } from 'fastify'
import type { AdminRouteSchema } from '../contracts/mailer-admin-api.ts'
import type { FieldFault } from '../http/error-body.ts'
import { schemaFault } from '../manifest/schema-fault.ts'
import { Compile, type TSchema, Value } from '../typebox.ts'

/** A part of a request that does not fit its schema. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
  readonly statusCode = 400
  readonly fault: FieldFault

  constructor(fault: FieldFault) {
    super(`${fault.path} ${fault.message}.`)
    this.fault = fault
  }
}

/** Fastify's validators of one route. Types in JSON are never coerced; texts of an address are. */
export function inputValidators(schema: AdminRouteSchema): FastifySchemaCompiler<unknown> {
  return ({ httpPart }) => {
    const part = httpPart as 'params' | 'querystring' | 'body'
    return validatorOf(schema[part] as TSchema, part)
  }
}

type Checked = { readonly value: unknown } | { readonly error: InvalidInput }

function validatorOf(schema: TSchema, part: 'params' | 'querystring' | 'body') {
  const compiled = Compile(schema)
  return (given: unknown): Checked => {
    const filled = Value.Default(schema, part === 'body' ? (given ?? {}) : { ...(given as object) })
    const value = part === 'body' ? filled : Value.Convert(schema, filled)
    if (compiled.Check(value)) return { value }
    const { path, problem } = schemaFault(schema, value) ?? { path: '', problem: 'is invalid' }
    return { error: new InvalidInput({ path: path === '' ? part : path, message: problem }) }
  }
}
