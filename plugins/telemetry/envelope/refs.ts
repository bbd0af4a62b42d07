// Refs (`<type>:<id>`), tenants and other short names that come from outside.

const TYPE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
const ROLE = /^[A-Za-z0-9_.-]{1,64}$/
// Control characters and lone surrogates would not come back from the database as they went in.
const UNCLEAN = /[\p{Cc}\p{Cs}]/u
// Nearly all texts are plain ASCII, which is told faster.
const PLAIN = /^[\x20-\x7e]*$/
const MAX_ID = 256
const MAX_TENANT = 128
const MAX_SUBJECTS = 16

/** Whether a text is free of control characters and lone surrogates and fits. */
export const isCleanText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= maxLength &&
  (PLAIN.test(value) || !UNCLEAN.test(value))

/** Whether a value can be a tenant. `*` can; whether it may is another question. */
export const isTenant = (value: unknown): value is string =>
  isCleanText(value, MAX_TENANT) && value.trim() !== ''

/** Whether a value is a ref. The first `:` splits; ids may hold more. */
export function isRef(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const at = value.indexOf(':')
  return at > 0 && TYPE.test(value.slice(0, at)) && isCleanText(value.slice(at + 1), MAX_ID)
}

export const refType = (ref: string): string => ref.slice(0, ref.indexOf(':'))

const W3C_TRACE = /^[0-9A-Fa-f]{32}$/

/** A trace id as it is stored and looked up: one of the W3C form in lower case, any other as it is. */
export const plainTraceId = (traceId: string): string =>
  W3C_TRACE.test(traceId) ? traceId.toLowerCase() : traceId

/** Subject refs with their roles, in the order sent. */
export interface SubjectList {
  readonly refs: readonly string[]
  readonly roles: Readonly<Record<string, string>> | undefined
}

const NO_SUBJECTS: SubjectList = { refs: [], roles: undefined }

/** Reads a `subjects` value of the wire; undefined when it is malformed. Repeats are dropped. */
export function readSubjects(value: unknown): SubjectList | undefined {
  if (value === undefined || value === null) return NO_SUBJECTS
  if (!Array.isArray(value) || value.length > MAX_SUBJECTS) return undefined
  const refs: string[] = []
  let roles: Record<string, string> | undefined
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'object' || item === null) return undefined
    const { type, id, role } = item as Record<string, unknown>
    if (typeof type !== 'string' || !TYPE.test(type) || !isCleanText(id, MAX_ID)) return undefined
    const ref = `${type}:${id}`
    if (refs.includes(ref)) continue
    if (typeof role === 'string' && ROLE.test(role)) {
      roles ??= {}
      roles[String(refs.length)] = role
    }
    refs.push(ref)
  }
  return { refs, roles }
}

/** Joins lists; for a type that both have, the later list wins. */
export function mergeSubjects(lists: readonly SubjectList[]): SubjectList {
  const given = lists.filter((list) => list.refs.length > 0)
  if (given.length <= 1) return given[0] ?? NO_SUBJECTS
  const refs: string[] = []
  const roles: Record<string, string> = {}
  for (const [index, list] of given.entries()) {
    const later = new Set(given.slice(index + 1).flatMap((one) => one.refs.map(refType)))
    for (const [at, ref] of list.refs.entries()) {
      if (later.has(refType(ref))) continue
      const role = list.roles?.[String(at)]
      if (role !== undefined) roles[String(refs.length)] = role
      refs.push(ref)
    }
  }
  return { refs, roles: Object.keys(roles).length > 0 ? roles : undefined }
}

/** Subject types of visitors who are not known, unless the host says otherwise. */
export const ANONYMOUS_TYPES: readonly string[] = ['anon', 'device', 'session']
