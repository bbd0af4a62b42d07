// What the records of one resource and scope have in common.
import { isCleanText, isRef, type SubjectList } from '../envelope/refs.ts'
import type { Env } from '../envelope/types.ts'
import { addAttributes, objectOf, textOf } from './values.ts'

/** Resource and scope of a record, as they were sent. */
export interface Source {
  readonly resource: unknown
  readonly scope: unknown
}

/** Attributes of a record, its scope and its resource; the nearest wins. */
export function joinAttributes(
  own: ReadonlyMap<string, string>,
  source: Source
): Map<string, string> {
  const attributes = new Map(own)
  const scope = objectOf(source.scope)
  for (const [key, name] of [
    ['otel.scope.name', 'name'],
    ['otel.scope.version', 'version']
  ] as const) {
    const text = textOf(scope[name])
    if (text !== '' && !attributes.has(key)) attributes.set(key, text)
  }
  addAttributes(attributes, scope['attributes'])
  addAttributes(attributes, objectOf(source.resource)['attributes'])
  return attributes
}

/** service.name, unless an SDK made it up or it is unusable. */
export function serviceOf(attributes: ReadonlyMap<string, string>, ofKey: string): string {
  const name = attributes.get('service.name')
  const isMeant = isCleanText(name, 200) && !name.startsWith('unknown_service')
  return isMeant ? name : ofKey
}

export function releaseOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const version = attributes.get('service.version')
  return isCleanText(version, 200) ? version : undefined
}

/** The names that environments have, for the three of the store. */
const ENVIRONMENTS: Readonly<Record<string, Env>> = {
  prod: 'prod',
  production: 'prod',
  prd: 'prod',
  live: 'prod',
  staging: 'staging',
  stage: 'staging',
  stg: 'staging',
  preprod: 'staging',
  'pre-production': 'staging',
  uat: 'staging',
  qa: 'staging',
  dev: 'dev',
  development: 'dev',
  develop: 'dev',
  local: 'dev',
  test: 'dev',
  testing: 'dev',
  ci: 'dev'
}

/** deployment.environment.name, or its earlier name; undefined where they are missing or say something else. */
export function environmentOf(attributes: ReadonlyMap<string, string>): Env | undefined {
  const name =
    attributes.get('deployment.environment.name') ?? attributes.get('deployment.environment') ?? ''
  const known = name.trim().toLowerCase()
  return Object.hasOwn(ENVIRONMENTS, known) ? ENVIRONMENTS[known] : undefined
}

/** Attributes that name who or what a record is about, with the type of the subject. */
export type SubjectAttributes = Readonly<Record<string, string>>

/** Of OpenTelemetry's conventions. Earlier ones win: `user.id` took the place of `enduser.id`. */
export const SUBJECT_ATTRIBUTES: SubjectAttributes = {
  'user.id': 'user',
  'enduser.id': 'user',
  'session.id': 'session'
}

/** The subjects that attributes name, one of each type. */
export function subjectsOf(
  attributes: ReadonlyMap<string, string>,
  named: SubjectAttributes
): SubjectList {
  const refs = new Map<string, string>()
  for (const [key, type] of Object.entries(named)) {
    const ref = `${type}:${attributes.get(key) ?? ''}`
    if (isRef(ref) && !refs.has(type)) refs.set(type, ref)
  }
  return { refs: [...refs.values()], roles: undefined }
}
