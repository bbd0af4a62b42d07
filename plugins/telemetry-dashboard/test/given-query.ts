// Reads the query string of an address as an operation with these parameters does.
import { parse } from 'node:querystring'
import { partCheck, type TSchema, Type } from '@keelson/sdk'

/** The values that a handler gets, or the sentence that is answered with 400. */
export function readQuery(
  parameters: Readonly<Record<string, TSchema>>,
  text: string
): Record<string, unknown> | string {
  const check = partCheck(Type.Object(parameters), 'querystring', { openQuery: true })
  const result = check({ ...parse(text) })
  return 'error' in result ? result.error.message : (result.value as Record<string, unknown>)
}
