// Reads the options of createTelemetry into what records are checked against.
import { BOUNDS } from '../bounds.ts'
import { KINDS, type Kind } from '../contracts/telemetry-registry.ts'
import { DEFAULT_PLATFORMS } from '../envelope/read-parts.ts'
import type { RecordSettings } from '../envelope/read-record.ts'
import { ANONYMOUS_TYPES } from '../envelope/refs.ts'
import { errors } from '../errors.ts'
import { DEFAULT_RETENTION_DAYS } from '../registry/check.ts'
import { isSubjectType } from '../registry/names.ts'
import { isDays } from '../registry/settings.ts'
import type { CompiledEvent } from '../registry/types.ts'

/** Days by kind; null is for ever. */
export type RetentionByKind = Readonly<Partial<Record<Kind, number | null>>>

/** Days rows are kept, for names that do not say themselves. */
export interface RetentionOptions extends RetentionByKind {
  /** Service to days by kind; goes before the kinds above. */
  readonly services?: Readonly<Record<string, RetentionByKind>>
}

export interface SettingsOptions {
  /** Characters of a record's body. Default 16,384. */
  readonly bodyMax?: number
  /** Client platforms besides web, electron, ios, android, server and cli. */
  readonly platforms?: readonly string[]
  readonly retention?: RetentionOptions
  readonly identity?: IdentityOptions
}

export interface IdentityOptions {
  /** Subject types of visitors who are not known. Default `anon`, `device` and `session`. */
  readonly anonymousTypes?: readonly string[]
}

const MAX_BODY = 1024 * 1024

/** @throws TEL_OPTION_INVALID naming the option. */
export function recordSettings(options: SettingsOptions): RecordSettings {
  const bodyMax = options.bodyMax ?? BOUNDS.body
  if (!Number.isInteger(bodyMax) || bodyMax < 1 || bodyMax > MAX_BODY) {
    throw invalid('bodyMax', `it must be between 1 and ${MAX_BODY}`)
  }
  const { services = {}, ...byKind } = options.retention ?? {}
  checkRetention('retention', byKind)
  for (const [service, days] of Object.entries(services)) {
    checkRetention(`retention.services.${service}`, days)
  }
  return {
    bodyMax,
    platforms: new Set([...DEFAULT_PLATFORMS, ...(options.platforms ?? [])]),
    anonymousTypes: anonymousTypesOf(options.identity),
    defaultEnv: process.env['NODE_ENV'] === 'production' ? 'prod' : 'dev',
    retentionDays: (event, service) => retentionOf(event, byKind, ownOf(services, service))
  }
}

function anonymousTypesOf(identity: IdentityOptions | undefined): ReadonlySet<string> {
  const types = identity?.anonymousTypes ?? ANONYMOUS_TYPES
  if (!Array.isArray(types) || !types.every(isSubjectType)) {
    throw invalid('identity.anonymousTypes', 'it must be a list of subject types')
  }
  return new Set(types)
}

const ownOf = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

function retentionOf(
  event: CompiledEvent,
  byKind: RetentionByKind,
  byService: RetentionByKind | undefined
): number | undefined {
  const isDeclared = event.spec.retentionDays !== undefined && !event.isOpen
  if (isDeclared) return event.retentionDays
  const ofService = byService?.[event.kind]
  const configured = ofService === undefined ? byKind[event.kind] : ofService
  if (configured === undefined) return event.retentionDays ?? DEFAULT_RETENTION_DAYS[event.kind]
  return configured ?? undefined
}

function checkRetention(path: string, days: RetentionByKind): void {
  for (const [kind, value] of Object.entries(days)) {
    if (!KINDS.includes(kind as Kind))
      throw invalid(`${path}.${kind}`, 'it must be the name of a kind')
    if (value !== null && value !== undefined && !isDays(value)) {
      throw invalid(`${path}.${kind}`, 'it must be null or a number of days over 0')
    }
  }
}

const invalid = (path: string, problem: string) => errors.TEL_OPTION_INVALID({ path, problem })
