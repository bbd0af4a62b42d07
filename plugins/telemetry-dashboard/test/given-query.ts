// Reads the query string of an address as a route with these parameters does.
import { parse } from 'node:querystring'
import type { TSchema } from '@keelson/sdk'
import { validatorCompiler } from '../routes/check-request.ts'
import { query } from '../routes/parameters.ts'

/** The values that a handler gets, or the sentence that is answered with 400. */
export function readQuery(
  parameters: Readonly<Record<string, TSchema>>,
  text: string
): Record<string, unknown> | string {
  const route = { method: 'GET', url: '/', httpPart: 'querystring' }
  const validate = validatorCompiler({ schema: query(parameters), ...route })
  const result = validate(parse(text)) as
    | { readonly value: Record<string, unknown> }
    | { readonly error: Error }
  return 'error' in result ? result.error.message : result.value
}
