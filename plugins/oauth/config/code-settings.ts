// Settings that are code, or objects with methods.
import { optional, Type } from '@keelson/sdk'
import type { Connection } from '../storage/collections.ts'
import type {
  EndSession,
  ExtraClaims,
  GrantContext,
  LoadUser,
  MapSubject,
  OAuthLogger,
  ResolveUser,
  TenantOf,
  Track,
  UserAdapter
} from './host-code.ts'

/** Settings that are code, or objects with methods. */
export const codeSettings = {
  connection: Type.Refine(
    Type.Unsafe<Connection>({ description: 'A driver Db or MongoClient.' }),
    (value) => hasMethod(value, 'collection') || hasMethod(value, 'db'),
    () => 'must be a Db or a MongoClient'
  ),
  userAdapter: optional(methods<UserAdapter>('resolveUser', 'loadUser?')),
  resolveUser: optional(fn<ResolveUser>()),
  loadUser: optional(fn<LoadUser>()),
  grantContext: optional(methods<GrantContext>('list', 'verify', 'describe?')),
  claims: optional(fn<ExtraClaims>()),
  endSession: optional(fn<EndSession>()),
  mapSubject: optional(fn<MapSubject>()),
  tenantOf: optional(fn<TenantOf>()),
  track: optional(fn<Track>()),
  logger: optional(methods<OAuthLogger>('warn', 'error')),
  clock: optional(methods<{ now(): Date }>('now'))
}

function fn<T>() {
  return Type.Refine(
    Type.Unsafe<T>({}),
    (value) => typeof value === 'function',
    () => 'must be a function'
  )
}

/** An object with these methods, its own or inherited; a `?` marks one that may be missing. */
export function methods<T>(...names: readonly string[]) {
  const problemOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return 'must be an object'
    const wrong = names.find((name) => {
      const plain = name.replace('?', '')
      const isMissing = (value as Record<string, unknown>)[plain] === undefined
      return !hasMethod(value, plain) && !(isMissing && name.endsWith('?'))
    })
    return wrong && `must have the function ${wrong.replace('?', '')}()`
  }
  return Type.Refine(
    Type.Unsafe<T>({}),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? ''
  )
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function'
}
