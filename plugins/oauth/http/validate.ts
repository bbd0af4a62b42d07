// Validation of routes by their TypeBox schemas: bodies as they are, parameters of addresses converted first.
import { type SchemaFault, schemaFault, type TSchema } from '@keelson/sdk'
import { Compile, Value } from '@keelson/sdk/typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { oauthError } from '../oauth-errors.ts'

type Compiler = FastifySchemaCompiler<TSchema>
type Part = 'body' | 'querystring' | 'params' | 'headers' | undefined

const compilerOf =
  (errorOf: (fault: SchemaFault, part: Part) => Error): Compiler =>
  ({ schema, httpPart }) => {
    const compiled = Compile(schema)
    const part = httpPart as Part
    return (given: unknown) => {
      // Text is all that an address can hold; the types of JSON stay as they are.
      const value = part === 'body' ? given : Value.Convert(schema, given)
      if (compiled.Check(value)) return { value }
      return { error: errorOf(schemaFault(schema, value) ?? { path: '', problem: '' }, part) }
    }
  }

/** For endpoints of a standard: invalid_request. */
export const validateStandard: Compiler = compilerOf(({ path, problem }, part) =>
  oauthError('invalidParameter', { description: `${path === '' ? part : path} ${problem}.` })
)

/**
 * For routes that check their parameters themselves, in an order that the standard fixes: a fault is
 * rendered, redirected or answered by what was valid before it. The schema describes them.
 */
export const checkedByHandler: Compiler = () => (value: unknown) => ({ value })
