// Reads what is given to keelson dev: settings of the plugin, and who is signed in. Pure.
import type { Viewer } from '@keelson/sdk'

/** Settings as they belong under `config` in a plugin's entry. */
export interface GivenSettings {
  readonly config: Readonly<Record<string, unknown>>
  /** Variables for the placeholders in `config`. */
  readonly env: Readonly<Record<string, string>>
}

type Read<T> = { readonly value: T } | { readonly fault: string }

/**
 * Reads `path=value` texts: `token=abc`, `limits.max=3`, `words=["a","b"]`. A value that begins with `[`, `{`
 * or `"` is JSON. Any other becomes a placeholder, so that the plugin's schema says whether it is a number.
 */
export function readSettings(texts: readonly string[]): Read<GivenSettings> {
  const config: Record<string, unknown> = {}
  const env: Record<string, string> = {}
  for (const [at, text] of texts.entries()) {
    const [path, ...rest] = text.split('=')
    const keys = (path ?? '').split('.')
    if (rest.length === 0 || keys.includes('')) {
      return { fault: `--set ${text} must have the form path=value, like --set token=abc.` }
    }
    const given = readValue(rest.join('='), `KEELSON_DEV_SET_${at}`, env)
    if ('fault' in given) return { fault: `--set ${path}: ${given.fault}` }
    put(config, keys, given.value)
  }
  return { value: { config, env } }
}

function readValue(text: string, variable: string, env: Record<string, string>): Read<unknown> {
  if (text === '') return { value: '' }
  if (!/^[[{"]/.test(text)) {
    env[variable] = text
    return { value: `$\{${variable}}` }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'the value begins like JSON and is not valid JSON.' }
  }
}

function put(target: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const [key = '', ...deeper] = keys
  if (deeper.length === 0) {
    target[key] = value
    return
  }
  const inner = target[key]
  const next = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  target[key] = next
  put(next as Record<string, unknown>, deeper, value)
}

/** The viewer when none is given: an admin of the platform, who sees all tenants. */
const PLATFORM_ADMIN = 'admin@*'

/** Reads `role@tenant`, or `none` for signed out. */
export function readViewer(text: string = PLATFORM_ADMIN): Read<Viewer | null> {
  if (text === 'none') return { value: null }
  const [, role, tenantId] = /^([^@\s]+)@([^@\s]+)$/.exec(text) ?? []
  if (role === undefined || tenantId === undefined) {
    return {
      fault: `--viewer ${text} must have the form role@tenant, like --viewer editor@acme, or be none.`
    }
  }
  return { value: { tenantId, role, viewerRef: 'user:dev', name: 'Developer' } }
}
