// The filters of a list of users that are supported (RFC 7644 §3.4.2.2). Pure.
import { ScimError } from './scim-error.ts'

/** A filter for one value. */
export interface UserFilter {
  readonly by: 'userName' | 'externalId' | 'id'
  readonly value: string
}

const FILTER =
  /^\s*(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?(userName|externalId|id)\s+eq\s+("(?:[^"\\]|\\.){0,500}")\s*$/i

/** Undefined without a filter. @throws ScimError for any other filter */
export function readFilter(text: string | undefined): UserFilter | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const [, name = '', quoted = ''] = FILTER.exec(text) ?? []
  const by = (['userName', 'externalId', 'id'] as const).find(
    (one) => one.toLowerCase() === name.toLowerCase()
  )
  if (by === undefined) throw new ScimError('filter')
  try {
    return { by, value: String(JSON.parse(quoted)) }
  } catch {
    throw new ScimError('filter')
  }
}
