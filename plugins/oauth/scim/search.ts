// A search in a body (RFC 7644 §3.4.3), as the query of a list. Pure.
import { ScimError } from './scim-error.ts'
import { isObject } from './user.ts'

export const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Lists of attributes are arrays in a body, and texts in a query. */
const LISTS = ['attributes', 'excludedAttributes'] as const

/** Sorting is not supported, which the configuration says: `sortBy` is ignored, as in a query. @throws ScimError */
export function readSearch(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw new ScimError('syntax', { problem: 'must be an object' })
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.includes(SEARCH_SCHEMA)) {
    throw new ScimError('syntax', { problem: `must name the schema ${SEARCH_SCHEMA}` })
  }
  const { filter } = body
  if (filter !== undefined && typeof filter !== 'string') throw new ScimError('filter')
  const lists = LISTS.map((name) => {
    const given = body[name] ?? []
    const names = Array.isArray(given) ? given : [given]
    if (names.every((one) => typeof one === 'string')) return [name, names.join(',')]
    throw new ScimError('value', { attribute: name, problem: 'must be names of attributes' })
  })
  return { ...body, ...Object.fromEntries(lists) }
}
