// PATCH of a user (RFC 7644 §3.5.2), as identity providers send it. Pure.
import type { ScimEmail, ScimUser } from '../storage/scim-user.ts'
import { ScimError } from './scim-error.ts'
import {
  attributeOf,
  ENTERPRISE_SCHEMA,
  emailsOf,
  filled,
  isObject,
  NAME_PARTS,
  setAttribute,
  textOf,
  USER_SCHEMA,
  type UserDraft,
  wholeUser
} from './user.ts'

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const MAX_OPERATIONS = 100
const OPS = ['add', 'replace', 'remove'] as const
type Op = (typeof OPS)[number]

interface Change {
  readonly op: Op
  readonly value: unknown
}

/** The user after all operations. @throws ScimError, and nothing has changed then */
export function patchUser(user: ScimUser, body: unknown): ScimUser {
  if (!isObject(body) || !Array.isArray(body['schemas'])) {
    throw new ScimError('syntax', { problem: `must name the schema ${PATCH_SCHEMA}` })
  }
  const operations = body['Operations'] ?? body['operations']
  if (!body['schemas'].includes(PATCH_SCHEMA) || !Array.isArray(operations)) {
    throw new ScimError('syntax', {
      problem: `must have Operations and the schema ${PATCH_SCHEMA}`
    })
  }
  if (operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new ScimError('syntax', { problem: `must have 1 to ${MAX_OPERATIONS} operations` })
  }
  const draft: UserDraft = { ...user }
  for (const operation of operations as unknown[]) applyOperation(draft, operation)
  return wholeUser(draft)
}

function applyOperation(draft: UserDraft, operation: unknown): void {
  if (!isObject(operation)) throw new ScimError('syntax', { problem: 'has an invalid operation' })
  const op = OPS.find((one) => one === String(operation['op']).toLowerCase())
  if (op === undefined) throw new ScimError('syntax', { problem: 'has an unknown op' })
  const { path, value } = operation
  if (typeof path === 'string' && path !== '') {
    applyAt(draft, path, { op, value })
    return
  }
  if (op === 'remove') throw new ScimError('noTarget')
  if (!isObject(value)) {
    throw new ScimError('value', {
      attribute: 'value',
      problem: 'must be an object without a path'
    })
  }
  for (const [name, each] of Object.entries(value)) applyAt(draft, name, { op, value: each })
}

/** `emails[type eq "work"].value`, `name.givenName`, `active`. */
const PATH =
  /^(?<name>[A-Za-z][\w-]*)(?:\[(?<by>[A-Za-z]+) eq (?:"(?<text>[^"\\]{0,500})"|(?<flag>true|false))\])?(?:\.(?<part>[A-Za-z]+))?$/i

function applyAt(draft: UserDraft, path: string, change: Change): void {
  if (path.toLowerCase().startsWith(ENTERPRISE_SCHEMA.toLowerCase())) return
  const prefix = `${USER_SCHEMA}:`
  const isFull = path.toLowerCase().startsWith(prefix.toLowerCase())
  const read = PATH.exec(isFull ? path.slice(prefix.length) : path)?.groups
  const attribute = attributeOf(read?.['name'] ?? '')
  if (attribute === 'readOnly') throw new ScimError('mutability', { attribute: path })
  if (attribute === 'ignored') return
  if (read === undefined || attribute === undefined) throw unsupported(path)
  const { by, text, flag, part } = read
  if (attribute === 'emails' && (by !== undefined || part !== undefined)) {
    draft.emails = changedEmails(
      draft.emails ?? [],
      { by, is: text ?? flag === 'true', part, path },
      change
    )
    return
  }
  if (by !== undefined) throw unsupported(path)
  if (attribute === 'name' && part !== undefined) {
    draft.name = changedName(draft, part, path, change)
    return
  }
  if (part !== undefined) throw unsupported(path)
  setWhole(draft, attribute, change)
}

const unsupported = (path: string) => new ScimError('path', { path: path.slice(0, 100) })

/** Why an attribute is always there. */
const KEPT: Readonly<Record<string, string>> = {
  userName: 'every user has one',
  active: 'without it a deactivated user would have access again; replace it with true or false'
}

function setWhole(
  draft: UserDraft,
  attribute: Exclude<ReturnType<typeof attributeOf>, 'ignored' | 'readOnly' | undefined>,
  { op, value }: Change
): void {
  if (op === 'remove') {
    const problem = KEPT[attribute]
    if (problem !== undefined) throw new ScimError('required', { attribute, problem })
    draft[attribute] = undefined
    return
  }
  if (attribute === 'emails' && op === 'add') {
    const more = emailsOf(value) ?? []
    const known = (draft.emails ?? []).filter(
      (one) => !more.some((other) => other.value === one.value)
    )
    draft.emails = emailsOf([...known, ...more])
    return
  }
  if (attribute === 'name' && isObject(value)) {
    const before = draft.name
    setAttribute(draft, attribute, value)
    // An object changes the parts that it has (§3.5.2.1, §3.5.2.3).
    draft.name = { ...before, ...draft.name }
    return
  }
  setAttribute(draft, attribute, value)
}

function changedName(
  { name = {} }: UserDraft,
  part: string,
  path: string,
  { op, value }: Change
): UserDraft['name'] {
  const known = NAME_PARTS.find((one) => one.toLowerCase() === part.toLowerCase())
  // honorificPrefix and others are taken and not kept.
  if (known === undefined) return name
  const next = op === 'remove' ? undefined : textOf(value, path)
  return filled(Object.entries({ ...name, [known]: next }))
}

interface EmailPath {
  readonly by: string | undefined
  readonly is: string | boolean
  readonly part: string | undefined
  readonly path: string
}

function changedEmails(
  emails: readonly ScimEmail[],
  { by, is, part, path }: EmailPath,
  { op, value }: Change
): readonly ScimEmail[] | undefined {
  const key = ['type', 'value', 'primary'].find((one) => one === by?.toLowerCase())
  if (by !== undefined && key === undefined) throw unsupported(path)
  const matches = (email: ScimEmail) => key === undefined || email[key as keyof ScimEmail] === is
  const member = part?.toLowerCase()
  if (member !== undefined && !['value', 'type', 'primary', 'display'].includes(member)) {
    throw unsupported(path)
  }
  if (member === 'display') return emails
  if (op === 'remove') {
    const left = emails.filter((email) => !matches(email))
    return left.length === 0 ? undefined : left
  }
  const given = member === undefined ? value : { [member]: value }
  const change = isObject(given) ? given : { value: given }
  const isKnown = emails.some(matches)
  const base = key === undefined ? {} : { [key]: is }
  const next = isKnown
    ? emails.map((email) => (matches(email) ? { ...email, ...change } : email))
    : [...emails, { ...base, ...change }]
  return emailsOf(next)
}
