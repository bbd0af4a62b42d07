// Reads the body of a request that mints an ingest key, and decides whether this viewer may.
import type { Viewer } from '@keelson/sdk'
import {
  type CreateKeyOptions,
  KEY_KINDS,
  KINDS,
  PLATFORM_SCOPE,
  TENANT_MODES
} from '@keelson/telemetry'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'

type Body = Readonly<Record<string, unknown>>

/** Entries of a list, and characters of a text, in such a body. */
const MAX_ENTRIES = 100
const MAX_TEXT = 200

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT

function text(body: Body, name: string): Parsed<string | undefined> {
  const value = body[name] ?? undefined
  if (value === undefined) return accepted(undefined)
  return isText(value) ? accepted(value) : refused(`${name} must be a short text`)
}

function requiredText(body: Body, name: string): Parsed<string> {
  const value = body[name]
  return isText(value) && value !== '' ? accepted(value) : refused(`${name} required`)
}

function choice<const C extends string>(
  body: Body,
  name: string,
  choices: readonly C[]
): Parsed<C> {
  const found = choices.find((one) => one === body[name])
  return found === undefined
    ? refused(`${name} must be one of ${choices.join(', ')}`)
    : accepted(found)
}

function texts(body: Body, name: string): Parsed<readonly string[] | undefined> {
  const value = body[name] ?? undefined
  if (value === undefined) return accepted(undefined)
  return Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isText)
    ? accepted(value)
    : refused(`${name} must be a list of at most ${MAX_ENTRIES} short texts`)
}

function kinds(body: Body): Parsed<CreateKeyOptions['allowedKinds']> {
  const list = texts(body, 'allowedKinds')
  if (!list.ok || list.value === undefined) return list as Parsed<undefined>
  const known = KINDS.filter((kind) => list.value?.includes(kind))
  return list.value.every((kind) => known.some((one) => one === kind))
    ? accepted(known)
    : refused(`allowedKinds must be of ${KINDS.join(', ')}`)
}

function rate(body: Body): Parsed<number | undefined> {
  const value = body['maxPerMinute'] ?? undefined
  if (value === undefined) return accepted(undefined)
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? accepted(value)
    : refused('maxPerMinute must be a whole number from 1 on')
}

/** The options that a body asks for. What the store alone can judge is left to it. */
export function readKeyRequest(body: unknown): Parsed<CreateKeyOptions> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('key options required')
  }
  const given = body as Body
  const parts = allOf({
    label: text(given, 'label'),
    kind: choice(given, 'kind', KEY_KINDS),
    tenantMode: choice(given, 'tenantMode', TENANT_MODES),
    tenantId: text(given, 'tenantId'),
    service: requiredText(given, 'service'),
    env: requiredText(given, 'env'),
    origins: texts(given, 'origins'),
    allowedKinds: kinds(given),
    allowedNames: texts(given, 'allowedNames'),
    maxPerMinute: rate(given)
  })
  if (!parts.ok) return parts
  const present = Object.entries(parts.value).filter(([, value]) => value !== undefined)
  return accepted(Object.fromEntries(present) as unknown as CreateKeyOptions)
}

/** An admin mints fixed keys of the own tenant; the platform's admin mints any. */
export function mayMint(viewer: Viewer, options: CreateKeyOptions): boolean {
  if (viewer.role !== 'admin') return false
  if (viewer.tenantId === PLATFORM_SCOPE) return true
  if (options.tenantMode !== 'fixed') return false
  // Without a tenant, or with the reserved one, the store says what is wrong.
  const tenantId = options.tenantId ?? PLATFORM_SCOPE
  return tenantId === viewer.tenantId || tenantId === PLATFORM_SCOPE
}
