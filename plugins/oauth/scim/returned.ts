// Which attributes an answer holds, as a client asks (RFC 7644 §3.9). Pure.
import { USER_SCHEMA } from './user.ts'

const ALWAYS = new Set(['schemas', 'id'])

/** Names of attributes in lower case; parts of one stand for the whole. */
function namesOf(given: unknown): ReadonlySet<string> | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const prefix = `${USER_SCHEMA}:`.toLowerCase()
  const names = given.split(',').map((name) => name.trim().toLowerCase())
  const own = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
  return new Set(own.map((name) => name.split('.')[0] ?? ''))
}

/** The resource with the attributes of a query; `attributes` counts before `excludedAttributes`. */
export function returned(resource: object, query: Readonly<Record<string, unknown>>): object {
  const wanted = namesOf(query['attributes'])
  const excluded = namesOf(query['excludedAttributes'])
  if (wanted === undefined && excluded === undefined) return resource
  const isReturned = (name: string) =>
    ALWAYS.has(name) ||
    (wanted?.has(name.toLowerCase()) ?? excluded?.has(name.toLowerCase()) !== true)
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isReturned(name)))
}
