// Checks the configuration of a host: against its schema, then the rules between settings. Names path and value.
import { Value } from 'typebox/value'
import { errors } from '../errors.ts'
import { hostSchema, type OAuthHostConfig } from './schema.ts'

/** @throws OAU_CONFIG_INVALID, naming path and value. Secrets are named, never shown. */
export function checkConfig(config: unknown): asserts config is OAuthHostConfig {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw invalid('config', 'must be an object', config)
  }
  if (!Value.Check(hostSchema, config)) throw schemaFault(config)
  const checked = config as OAuthHostConfig
  checkCatalogue(checked)
  checkPeople(checked)
  checkSubjects(checked)
  checkMetadataClients(checked)
  checkRegistration(checked)
}

/** A schema as far as it is walked here. */
interface Walked {
  readonly properties?: Readonly<Record<string, Walked>>
  readonly items?: Walked
  readonly anyOf?: readonly Walked[]
  readonly secret?: boolean
  readonly expected?: string
}

type SchemaError = ReturnType<typeof Value.Errors>[number]

function schemaFault(config: object): Error {
  const found = Value.Errors(hostSchema, config)
  const error = mostExact(found)
  const parts = error.instancePath.split('/').slice(1)
  if (error.keyword === 'required') {
    const [name = ''] = error.params.requiredProperties
    return errors.OAU_CONFIG_INVALID({ path: [...parts, name].join('.'), problem: 'is missing' })
  }
  let schema: Walked | undefined = hostSchema as Walked
  let isSecret = false
  let value: unknown = config
  for (const part of parts) {
    schema = within(schema, part)
    isSecret ||= schema?.secret === true
    value = (value as Record<string, unknown>)[part]
  }
  const problem = reasonOf(error, schema)
  if (isSecret) return errors.OAU_CONFIG_INVALID({ path: parts.join('.'), problem })
  return invalid(parts.join('.'), problem, value)
}

/** Of a union that nothing fits: the fault inside the branch that was meant, else that of the union. */
function mostExact(found: readonly SchemaError[]): SchemaError {
  const [first] = found
  if (first === undefined) throw new TypeError('the schema refused the config without a fault')
  if (!first.schemaPath.includes('/anyOf/')) return first
  const inside = found.find(({ instancePath }) => instancePath.startsWith(`${first.instancePath}/`))
  const union = found.find(
    ({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === first.instancePath
  )
  const missing = found.find(
    ({ keyword, instancePath }) => keyword === 'required' && instancePath === first.instancePath
  )
  return inside ?? missing ?? union ?? first
}

function within(schema: Walked | undefined, part: string): Walked | undefined {
  const branches = [schema, ...(schema?.anyOf ?? [])]
  return (
    branches.find((branch) => branch?.properties?.[part] !== undefined)?.properties?.[part] ??
    schema?.items
  )
}

function reasonOf(error: SchemaError, schema: Walked | undefined): string {
  switch (error.keyword) {
    case 'anyOf':
      return `must be ${schema?.expected ?? 'another value'}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
    case 'type':
      return `must be of type ${String(error.params.type)}`
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`
    case 'minItems':
      return 'must not be empty'
    default:
      return error.message
  }
}

function invalid(path: string, problem: string, value: unknown): Error {
  return errors.OAU_CONFIG_INVALID({ path, problem: `${problem}, but is ${show(value)}` })
}

/** A value in a message, cut at 200 characters. */
function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `"${value.slice(0, 200)}"`
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value)
  } catch {
    return String(value)
  }
}

const idOf = (given: string | { readonly id: string }): string =>
  typeof given === 'string' ? given : given.id

/** Ids are given once, and every scope that is named is in the catalogue. */
function checkCatalogue({ scopes, resources, defaultScopes }: OAuthHostConfig): void {
  const catalogue = new Set<string>()
  scopes.forEach((given, at) => {
    const id = idOf(given)
    // A scope that is given as its id alone has not been checked by the schema of scopes.
    if (!/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(id)) {
      throw invalid(`scopes.${at}`, 'must not contain whitespace or quotes', id)
    }
    if (catalogue.has(id)) throw invalid(`scopes.${at}.id`, 'must not be given twice', id)
    catalogue.add(id)
  })
  const ids = new Set<string>()
  resources.forEach((given, at) => {
    const id = idOf(given)
    const path = `resources.${at}.id`
    if (!URL.canParse(id)) throw invalid(path, 'must be an absolute URI', id)
    if (id.includes('#')) throw invalid(path, 'must not have a fragment', id)
    if (ids.has(id)) throw invalid(path, 'must not be given twice', id)
    ids.add(id)
    const listed = typeof given === 'string' ? undefined : given.scopes
    checkKnown(listed, catalogue, `resources.${at}.scopes`)
  })
  checkKnown(defaultScopes, catalogue, 'defaultScopes')
}

function checkKnown(
  scopes: readonly string[] | undefined,
  catalogue: ReadonlySet<string>,
  path: string
): void {
  const unknown = scopes?.find((scope) => !catalogue.has(scope))
  if (unknown !== undefined) throw invalid(path, 'must be scopes of the catalogue', unknown)
}

function checkPeople({ userAdapter, resolveUser, loadUser }: OAuthHostConfig): void {
  if (userAdapter === undefined) return
  const other =
    resolveUser !== undefined ? 'resolveUser' : loadUser === undefined ? undefined : 'loadUser'
  if (other === undefined) return
  const problem = `cannot be given together with ${other}`
  throw errors.OAU_CONFIG_INVALID({ path: 'userAdapter', problem })
}

function checkSubjects({ subjectMode, pairwiseSalt = '' }: OAuthHostConfig): void {
  if (subjectMode !== 'pairwise' || pairwiseSalt !== '') return
  const problem = 'cannot be pairwise without pairwiseSalt'
  throw errors.OAU_CONFIG_INVALID({ path: 'subjectMode', problem })
}

function checkMetadataClients({ clientIdMetadata: own, scopes }: OAuthHostConfig): void {
  if (own?.enabled !== true) return
  if ((own.allowedHosts ?? []).length === 0) {
    const problem = 'must name the hosts that documents may be fetched from'
    throw errors.OAU_CONFIG_INVALID({ path: 'clientIdMetadata.allowedHosts', problem })
  }
  checkKnown(own.allowedScopes, new Set(scopes.map(idOf)), 'clientIdMetadata.allowedScopes')
}

function checkRegistration({ registration: own }: OAuthHostConfig): void {
  if (own?.enabled !== true || (own.initialAccessTokens ?? []).length > 0) return
  const problem = 'must hold at least one token of 24 characters or more'
  throw errors.OAU_CONFIG_INVALID({ path: 'registration.initialAccessTokens', problem })
}
