// The construction rules: every setting that must be refused, with the offending value in the message.
import { errors } from '../errors.ts'
import type { OAuthHostConfig } from './types.ts'

/** @throws OAU_CONFIG_INVALID, naming path and value. */
export function checkConfig(config: unknown): asserts config is OAuthHostConfig {
  if (!isObject(config)) wrong('config', `${show(config)} is not an object`)
  checkIssuer(config['issuer'])
  checkConnection(config['connection'])
  if (!isText(config['consentUrl'])) wrong('consentUrl', `${show(config['consentUrl'])} is missing`)
  const scopes = checkScopes(config['scopes'])
  checkResources(config['resources'], scopes)
  checkDefaultScopes(config['defaultScopes'], scopes)
  checkUsers(config)
  checkHooks(config)
  checkSubjects(config)
  checkNumbers(config)
  checkMetadataClients(config['clientIdMetadata'], scopes)
  checkSecrets(config)
}

type Fields = Readonly<Record<string, unknown>>

function wrong(path: string, problem: string): never {
  throw errors.OAU_CONFIG_INVALID({ path, problem })
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A value in words, short enough for a message. */
function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `"${value.slice(0, 200)}"`
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value)
  } catch {
    return String(value)
  }
}

function checkIssuer(issuer: unknown): void {
  if (!isText(issuer) || !URL.canParse(issuer))
    wrong('issuer', `${show(issuer)} is no absolute URL`)
  const { protocol, search, hash, username, password } = new URL(issuer)
  if (protocol !== 'https:' && protocol !== 'http:') {
    wrong('issuer', `${show(issuer)} is neither http nor https`)
  }
  if (issuer.endsWith('/')) wrong('issuer', `${show(issuer)} ends with a slash`)
  if (search !== '' || hash !== '' || username !== '' || password !== '') {
    wrong('issuer', `${show(issuer)} has a query, a fragment or credentials`)
  }
}

function checkConnection(connection: unknown): void {
  const { collection, db } = (connection ?? {}) as { collection?: unknown; db?: unknown }
  if (typeof collection !== 'function' && typeof db !== 'function') {
    wrong('connection', `${show(connection)} is neither a Db nor a MongoClient`)
  }
}

function checkScopes(given: unknown): ReadonlySet<string> {
  if (!Array.isArray(given) || given.length === 0) wrong('scopes', `${show(given)} is no list`)
  const ids = new Set<string>()
  given.forEach((scope: unknown, at) => {
    const id = typeof scope === 'string' ? scope : isObject(scope) ? scope['id'] : undefined
    const path = `scopes.${at}.id`
    if (!isText(id)) wrong(path, `the scope ${show(scope)} has no id that is a string`)
    if (!/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(id)) {
      wrong(path, `${id} holds whitespace, a quote or another character that no scope may have`)
    }
    if (ids.has(id)) wrong(path, `${show(id)} is given twice`)
    ids.add(id)
  })
  return ids
}

function checkResources(given: unknown, scopes: ReadonlySet<string>): void {
  if (!Array.isArray(given) || given.length === 0) wrong('resources', `${show(given)} is no list`)
  const ids = new Set<string>()
  given.forEach((resource: unknown, at) => {
    const fields = typeof resource === 'string' ? { id: resource } : resource
    if (!isObject(fields)) wrong(`resources.${at}`, `${show(resource)} is no resource`)
    const id = fields['id']
    if (!isText(id) || !URL.canParse(id)) {
      wrong(`resources.${at}.id`, `${show(id)} is no absolute URI`)
    }
    if (id.includes('#')) wrong(`resources.${at}.id`, `${show(id)} has a fragment`)
    if (ids.has(id)) wrong(`resources.${at}.id`, `${show(id)} is given twice`)
    ids.add(id)
    for (const scope of knownList(fields['scopes'], `resources.${at}.scopes`) ?? []) {
      if (!scopes.has(scope)) wrong(`resources.${at}.scopes`, `${show(scope)} is no known scope`)
    }
    const format = fields['accessTokenFormat']
    if (format !== undefined && format !== 'opaque' && format !== 'jwt') {
      wrong(`resources.${at}.accessTokenFormat`, `${show(format)} is neither opaque nor jwt`)
    }
  })
}

function knownList(given: unknown, path: string): readonly string[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'string')) {
    wrong(path, `${show(given)} is no list of strings`)
  }
  return given
}

function checkDefaultScopes(given: unknown, scopes: ReadonlySet<string>): void {
  const list = knownList(given, 'defaultScopes')
  if (list?.length === 0) wrong('defaultScopes', 'the list is empty')
  for (const scope of list ?? []) {
    if (!scopes.has(scope)) wrong('defaultScopes', `${show(scope)} is no known scope`)
  }
}

function checkUsers(config: Fields): void {
  const { userAdapter, resolveUser, loadUser } = config as Record<string, unknown>
  for (const [name, value] of [
    ['resolveUser', resolveUser],
    ['loadUser', loadUser]
  ] as const) {
    if (value !== undefined && userAdapter !== undefined) {
      wrong('userAdapter', `it cannot be given together with ${name}`)
    }
    if (value !== undefined && typeof value !== 'function') {
      wrong(name, `${show(value)} is not a function`)
    }
  }
  if (userAdapter === undefined) return
  const adapter = isObject(userAdapter) ? userAdapter : {}
  if (typeof adapter['resolveUser'] !== 'function') {
    wrong('userAdapter.resolveUser', `${show(adapter['resolveUser'])} is not a function`)
  }
  const load = adapter['loadUser']
  if (load !== undefined && typeof load !== 'function') {
    wrong('userAdapter.loadUser', `${show(load)} is not a function`)
  }
}

function checkHooks(config: Fields): void {
  const context = config['grantContext']
  if (context !== undefined) {
    for (const name of ['list', 'verify']) {
      if (!isObject(context) || typeof context[name] !== 'function') {
        wrong('grantContext', `it has no ${name}()`)
      }
    }
    const describe = (context as Fields)['describe']
    if (describe !== undefined && typeof describe !== 'function') {
      wrong('grantContext.describe', `${show(describe)} is not a function`)
    }
  }
  for (const name of ['track', 'claims', 'endSession']) {
    const value = config[name]
    if (value !== undefined && typeof value !== 'function') {
      wrong(name, `${show(value)} is not a function`)
    }
  }
}

function checkSubjects({ subjectMode, pairwiseSalt }: Fields): void {
  if (subjectMode !== undefined && subjectMode !== 'public' && subjectMode !== 'pairwise') {
    wrong('subjectMode', `${show(subjectMode)} is neither public nor pairwise`)
  }
  if (subjectMode === 'pairwise' && !isText(pairwiseSalt)) {
    wrong('subjectMode', 'pairwise needs pairwiseSalt')
  }
}

const POSITIVE: readonly (readonly [section: string, names: readonly string[]])[] = [
  [
    'ttl',
    [
      'code',
      'accessToken',
      'refreshToken',
      'refreshAbsolute',
      'authorizationRequest',
      'pushedRequest'
    ]
  ],
  ['clientIdMetadata', ['cacheTtlMs', 'fetchTimeoutMs', 'maxBytes']],
  ['audit', ['retentionDays']]
]
const NOT_NEGATIVE: readonly (readonly [section: string, names: readonly string[]])[] = [
  ['ttl', ['refreshGrace']],
  ['tokenCache', ['ttlMs']]
]

function checkNumbers(config: Fields): void {
  const check = (rules: typeof POSITIVE, isRight: (value: number) => boolean, what: string) => {
    for (const [section, names] of rules) {
      for (const name of names) {
        const value = ((config[section] ?? {}) as Fields)[name]
        if (value === undefined) continue
        if (typeof value !== 'number' || !Number.isFinite(value) || !isRight(value)) {
          wrong(`${section}.${name}`, `${show(value)} is not ${what}`)
        }
      }
    }
  }
  check(POSITIVE, (value) => value > 0, 'a positive number')
  check(NOT_NEGATIVE, (value) => value >= 0, 'zero or a positive number')
  for (const name of ['token', 'authorize', 'consent']) {
    const limit = ((config['rateLimits'] ?? {}) as Fields)[name]
    if (limit === undefined || limit === false) continue
    const { max, windowMs } = (isObject(limit) ? limit : {}) as { max?: number; windowMs?: number }
    const isRight = Number.isInteger(max) && Number(max) > 0 && Number(windowMs) > 0
    if (!isRight) wrong(`rateLimits.${name}`, `${show(limit)} is no {max, windowMs}`)
  }
}

function checkMetadataClients(given: unknown, scopes: ReadonlySet<string>): void {
  if (!isObject(given) || given['enabled'] !== true) return
  const hosts = knownList(given['allowedHosts'], 'clientIdMetadata.allowedHosts')
  if (hosts === undefined || hosts.length === 0) {
    wrong('clientIdMetadata.allowedHosts', 'it is empty: name the hosts that may be asked')
  }
  for (const host of hosts) {
    if (
      !/^\.?([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/i.test(
        host
      )
    ) {
      wrong('clientIdMetadata.allowedHosts', `${show(host)} is no host, host:port or .domain`)
    }
  }
  const allowed = knownList(given['allowedScopes'], 'clientIdMetadata.allowedScopes')
  if (allowed?.length === 0) wrong('clientIdMetadata.allowedScopes', 'the list is empty')
  for (const scope of allowed ?? []) {
    if (!scopes.has(scope)) {
      wrong('clientIdMetadata.allowedScopes', `${show(scope)} is no known scope`)
    }
  }
}

function checkSecrets(config: Fields): void {
  const { secret, registration } = config as { secret?: unknown; registration?: unknown }
  // Secrets are not shown, only what is wrong with them.
  if (secret !== undefined && (typeof secret !== 'string' || secret.length < 32)) {
    wrong('secret', 'it is shorter than 32 characters')
  }
  if (!isObject(registration) || registration['enabled'] !== true) return
  const tokens = registration['initialAccessTokens']
  const areRight =
    Array.isArray(tokens) &&
    tokens.length > 0 &&
    tokens.every((token) => typeof token === 'string' && token.length >= 24)
  if (!areRight) {
    wrong('registration.initialAccessTokens', 'give at least one, of 24 characters or more')
  }
}
