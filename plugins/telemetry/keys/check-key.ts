// Checks what is asked for when a key is made, and fills in the defaults. Pure.

import { KINDS, type Kind } from '../contracts/telemetry-registry.ts'
import { isCleanText, isTenant } from '../envelope/refs.ts'
import { ENVS } from '../envelope/types.ts'
import { KEY_KINDS, TENANT_MODES } from '../schemas/system.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { isLabel } from './key-format.ts'

/** Everything of a key but its id, secret and times. */
export type KeyRequest = Omit<
  StoredKey,
  '_id' | 'secretHash' | 'createdAt' | 'lastUsedAt' | 'overRate' | 'revokedAt'
>

export type KeyCheck =
  | { readonly ok: true; readonly request: KeyRequest }
  | { readonly ok: false; readonly path: string; readonly problem: string }

/** Records a minute. A server writes as much as its requests make; a page, what one visitor does. */
const DEFAULT_RATES = { publishable: 600, secret: 600_000 } as const
const MAX_RATE = 100_000_000
const MAX_LIST = 100
const PUBLISHABLE_KINDS: readonly Kind[] = ['event', 'error', 'span']
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]{1,255}$/i

const refuse = (path: string, problem: string): KeyCheck => ({ ok: false, path, problem })

/** Reads untrusted options of createKey. */
export function checkKey(options: Readonly<Record<string, unknown>>): KeyCheck {
  const { label = 'live', kind, tenantMode, service, env } = options
  if (!isLabel(label)) return refuse('label', 'a label has 1 to 32 of a–z and 0–9')
  if (!isOneOf(KEY_KINDS, kind)) return refuse('kind', `kind is one of ${KEY_KINDS.join(', ')}`)
  if (!isOneOf(TENANT_MODES, tenantMode)) {
    return refuse('tenantMode', `tenantMode is one of ${TENANT_MODES.join(', ')}`)
  }
  const tenant = checkTenant(kind, tenantMode, options['tenantId'])
  if (tenant !== undefined) return tenant
  if (!isCleanText(service, 200)) return refuse('service', 'service is a short text')
  if (!isOneOf(ENVS, env)) return refuse('env', `env is one of ${ENVS.join(', ')}`)
  const { maxPerMinute = DEFAULT_RATES[kind] } = options
  if (!isRate(maxPerMinute)) {
    return refuse('maxPerMinute', `maxPerMinute is a whole number from 1 to ${MAX_RATE}`)
  }
  const lists = readLists(kind, options)
  if ('problem' in lists) return lists
  const tenantId = tenantMode === 'fixed' ? (options['tenantId'] as string) : undefined
  return {
    ok: true,
    request: {
      kind,
      tenantMode,
      ...(tenantId !== undefined && { tenantId }),
      owner: tenantId ?? '*',
      service,
      env,
      label,
      maxPerMinute,
      ...lists
    }
  }
}

function checkTenant(kind: string, tenantMode: string, tenantId: unknown): KeyCheck | undefined {
  if (tenantMode === 'claimed' && kind !== 'secret') {
    return refuse('tenantMode', 'a claimed key must be secret')
  }
  const isGiven = tenantId !== undefined && tenantId !== null
  if (tenantMode !== 'fixed') {
    return isGiven ? refuse('tenantId', `a ${tenantMode} key must not have a tenant`) : undefined
  }
  if (!isGiven) return refuse('tenantId', 'a fixed key needs a tenantId')
  if (tenantId === '*') return refuse('tenantId', 'the tenant * is reserved')
  return isTenant(tenantId) ? undefined : refuse('tenantId', 'tenantId is a short text')
}

type Lists = Pick<KeyRequest, 'origins' | 'allowedKinds' | 'allowedNames'>

function readLists(
  kind: string,
  options: Readonly<Record<string, unknown>>
): Lists | Extract<KeyCheck, { ok: false }> {
  const fail = (path: string, problem: string) => ({ ok: false, path, problem }) as const
  const isPublishable = kind === 'publishable'
  const { origins = [], allowedNames } = options
  const allowedKinds = options['allowedKinds'] ?? (isPublishable ? PUBLISHABLE_KINDS : KINDS)
  if (!isListOf(origins, (one) => typeof one === 'string' && ORIGIN.test(one))) {
    return fail('origins', 'origins is a list of origins such as https://shop.example')
  }
  if (!isListOf(allowedKinds, (one) => isOneOf(KINDS, one)) || allowedKinds.length === 0) {
    return fail('allowedKinds', `allowedKinds is a list of ${KINDS.join(', ')}`)
  }
  if (isPublishable && allowedKinds.includes('usage')) {
    return fail('allowedKinds', 'a publishable key may not write usage')
  }
  const hasNames = allowedNames !== undefined && allowedNames !== null
  if (hasNames && !isListOf(allowedNames, (one) => isCleanText(one, 100))) {
    return fail('allowedNames', 'allowedNames is a list of event names')
  }
  return {
    origins: (origins as string[]).map((origin) => origin.toLowerCase()),
    allowedKinds: allowedKinds as readonly Kind[],
    ...(hasNames && { allowedNames: allowedNames as readonly string[] })
  }
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value)

const isListOf = (value: unknown, fits: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length <= MAX_LIST && value.every(fits)

const isRate = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_RATE
