// A user of SCIM (RFC 7643 §4.1): the attributes that are kept, and how they are read from JSON. Pure.
import type { ScimEmail, ScimName, ScimUser } from '../storage/scim-user.ts'
import { ScimError } from './scim-error.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** A user that is being read or changed; `userName` may still be missing. */
export type UserDraft = { -readonly [Name in keyof ScimUser]?: ScimUser[Name] | undefined }

const MAX_TEXT = 500
const MAX_EMAILS = 20
export const NAME_PARTS = ['formatted', 'familyName', 'givenName'] as const

/** Attributes of the core schema that are taken and not kept (RFC 7643 §2.2), in lower case. */
const IGNORED = new Set(
  'schemas title nickname profileurl usertype preferredlanguage locale timezone password phonenumbers addresses ims photos groups entitlements roles x509certificates'.split(
    ' '
  )
)
const READ_ONLY = new Set(['id', 'meta'])
const KEPT = ['userName', 'externalId', 'displayName', 'name', 'emails', 'active'] as const

/** The attribute of a name, whatever its case; `ignored` for one that is taken and not kept. */
export function attributeOf(
  name: string
): (typeof KEPT)[number] | 'ignored' | 'readOnly' | undefined {
  const lower = name.toLowerCase()
  if (READ_ONLY.has(lower)) return 'readOnly'
  if (IGNORED.has(lower) || lower.startsWith(ENTERPRISE_SCHEMA.toLowerCase())) return 'ignored'
  return KEPT.find((one) => one.toLowerCase() === lower)
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The user of a body that makes or replaces one. @throws ScimError */
export function readUser(body: unknown): ScimUser {
  if (!isObject(body)) throw new ScimError('syntax', { problem: 'must be a JSON object' })
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.includes(USER_SCHEMA)) {
    throw new ScimError('syntax', { problem: `must name the schema ${USER_SCHEMA}` })
  }
  const draft: UserDraft = {}
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributeOf(name)
    // What is read-only or unknown is left out (RFC 7644 §3.3).
    if (attribute === undefined || attribute === 'ignored' || attribute === 'readOnly') continue
    setAttribute(draft, attribute, value)
  }
  return wholeUser(draft)
}

/** @throws ScimError without a userName */
export function wholeUser({ userName, active = true, ...draft }: UserDraft): ScimUser {
  if (userName === undefined) throw invalid('userName', 'is missing')
  const kept = Object.entries(draft).filter(([, value]) => value !== undefined)
  return { userName, active, ...(Object.fromEntries(kept) as Partial<ScimUser>) }
}

export function setAttribute(
  draft: UserDraft,
  attribute: (typeof KEPT)[number],
  value: unknown
): void {
  switch (attribute) {
    case 'active':
      draft.active = flagOf(value, attribute)
      return
    case 'name':
      draft.name = nameOf(value)
      return
    case 'emails':
      draft.emails = emailsOf(value)
      return
    default:
      draft[attribute] = textOf(value, attribute)
  }
}

const invalid = (attribute: string, problem: string) =>
  new ScimError('value', { attribute, problem })

/** Undefined for null and empty text, which take a value away. */
export function textOf(value: unknown, attribute: string): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'string') throw invalid(attribute, 'must be text')
  const text = value.trim()
  if (text.length > MAX_TEXT) throw invalid(attribute, `must have at most ${MAX_TEXT} characters`)
  return text === '' ? undefined : text
}

/** Some identity providers send truth values as text. */
function flagOf(value: unknown, attribute: string): boolean {
  const flag = typeof value === 'string' ? value.toLowerCase() : value
  if (flag === true || flag === 'true') return true
  if (flag === false || flag === 'false') return false
  throw invalid(attribute, 'must be true or false')
}

function nameOf(value: unknown): ScimName | undefined {
  if (value === null) return undefined
  if (!isObject(value)) throw invalid('name', 'must be an object')
  return filled(
    NAME_PARTS.map((part) => [part, textOf(memberOf(value, part), `name.${part}`)] as const)
  )
}

/** The object of those entries that have a value; undefined when none has. */
export function filled(
  entries: readonly (readonly [string, unknown])[]
): Record<string, never> | undefined {
  const kept = entries.filter(([, value]) => value !== undefined)
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Record<string, never>)
}

/** A member, whatever the case of its name. */
const memberOf = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

export function emailsOf(value: unknown): readonly ScimEmail[] | undefined {
  if (value === null) return undefined
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  if (given.length > MAX_EMAILS) throw invalid('emails', `must have at most ${MAX_EMAILS} entries`)
  const emails = given.map(emailOf)
  return emails.length === 0 ? undefined : emails
}

function emailOf(given: unknown): ScimEmail {
  const entry = typeof given === 'string' ? { value: given } : given
  if (!isObject(entry)) throw invalid('emails', 'must be objects')
  const value = textOf(memberOf(entry, 'value'), 'emails.value')
  if (value === undefined) throw invalid('emails.value', 'is missing')
  const type = textOf(memberOf(entry, 'type'), 'emails.type')
  const primary = memberOf(entry, 'primary')
  return {
    value,
    ...(type !== undefined && { type }),
    ...(primary !== undefined && { primary: flagOf(primary, 'emails.primary') })
  }
}
