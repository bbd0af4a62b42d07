// Whose client it is, how it gets tokens and how long they live: what the form shows, and what the API wants. Pure.
import type { ClientAnswer } from '../../clients/client-schema.ts'

/** Of a client that names no grants. */
const USUAL: readonly string[] = ['authorization_code', 'refresh_token']

/** Text fields are empty where the server's default counts. */
export interface AccessDraft {
  /** Grants of the token endpoint. */
  readonly grants: readonly string[]
  /** Id of the person whose rights a service account has. */
  readonly owner: string
  /** One tenant a line. */
  readonly tenants: string
  /** A time, or a date as the field gives it. */
  readonly expiresAt: string
  /** Seconds. */
  readonly accessTokenTtl: string
  /** Seconds. */
  readonly refreshTokenTtl: string
  /** Seconds. */
  readonly refreshAbsoluteTtl: string
}

export const emptyAccess: AccessDraft = {
  grants: USUAL,
  owner: '',
  tenants: '',
  expiresAt: '',
  accessTokenTtl: '',
  refreshTokenTtl: '',
  refreshAbsoluteTtl: ''
}

export const accessOf = (client: ClientAnswer): AccessDraft => ({
  grants: client.grantTypes ?? USUAL,
  owner: client.owner ?? '',
  tenants: client.tenants?.join('\n') ?? '',
  expiresAt: client.expiresAt ?? '',
  accessTokenTtl: textOf(client.accessTokenTtl),
  refreshTokenTtl: textOf(client.refreshTokenTtl),
  refreshAbsoluteTtl: textOf(client.refreshAbsoluteTtl)
})

const textOf = (seconds: number | undefined): string => (seconds === undefined ? '' : `${seconds}`)

/** What a field wants; null takes a value away. Text that is no number is for the server to refuse. */
const VALUES: { readonly [Name in keyof AccessDraft]: (draft: AccessDraft) => unknown } = {
  grants: ({ grants }) => (isUsual(grants) ? null : grants),
  owner: ({ owner }) => owner.trim() || null,
  tenants: ({ tenants }) => {
    const lines = tenants.split('\n').flatMap((line) => line.trim() || [])
    return lines.length === 0 ? null : lines
  },
  expiresAt: ({ expiresAt }) =>
    /^\d{4}-\d\d-\d\d$/.test(expiresAt) ? `${expiresAt}T00:00:00.000Z` : expiresAt || null,
  accessTokenTtl: ({ accessTokenTtl }) => secondsOf(accessTokenTtl),
  refreshTokenTtl: ({ refreshTokenTtl }) => secondsOf(refreshTokenTtl),
  refreshAbsoluteTtl: ({ refreshAbsoluteTtl }) => secondsOf(refreshAbsoluteTtl)
}

const isUsual = (grants: readonly string[]): boolean =>
  grants.length === USUAL.length && USUAL.every((grant) => grants.includes(grant))

function secondsOf(text: string): number | string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** The part of a body that makes or changes a client: the fields that differ. */
export const changedAccess = (
  draft: AccessDraft,
  before: AccessDraft
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (Object.keys(VALUES) as (keyof AccessDraft)[])
      .map((name) => [name, VALUES[name](draft), VALUES[name](before)] as const)
      .filter(([, value, known]) => JSON.stringify(value) !== JSON.stringify(known))
      .map(([name, value]) => [name === 'grants' ? 'grantTypes' : name, value])
  )
