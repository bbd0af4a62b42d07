// Checks the configuration of a host: against its schema, then the rules between settings. Names path and value.

import { butIs, readWebhookSecret, schemaFault } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { normalUri } from './normal-uri.ts'
import { hostSchema, type OAuthHostConfig } from './schema.ts'

/** @throws OAU_CONFIG_INVALID, naming path and value. Secrets are named, never shown. */
export function checkConfig(config: unknown): asserts config is OAuthHostConfig {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw invalid('config', 'must be an object', config)
  }
  const fault = schemaFault(hostSchema, config)
  if (fault !== undefined) throw errors.OAU_CONFIG_INVALID({ ...fault })
  const checked = config as OAuthHostConfig
  checkCatalogue(checked)
  checkPeople(checked)
  checkSubjects(checked)
  checkMetadataClients(checked)
  checkRegistration(checked)
  checkIssuers(checked)
  checkTenants(checked)
  checkWebhooks(checked)
}

function invalid(path: string, problem: string, value: unknown): Error {
  return errors.OAU_CONFIG_INVALID({ path, problem: butIs(problem, value) })
}

const idOf = (given: string | { readonly id: string }): string =>
  typeof given === 'string' ? given : given.id

/** Ids are given once, and every scope that is named is in the catalogue. */
function checkCatalogue({ scopes, resources, defaultScopes }: OAuthHostConfig): void {
  const catalogue = new Set<string>()
  scopes.forEach((given, at) => {
    const id = idOf(given)
    // A scope that is given as its id alone has not been checked by the schema of scopes.
    if (!/^[\x21\x23-\x26\x28-\x5B\x5D-\x7E]+$/.test(id)) {
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
    const normal = normalUri(id) ?? id
    if (ids.has(normal)) throw invalid(path, 'must not be given twice', id)
    ids.add(normal)
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

function checkSubjects({ subjectMode, pairwiseSalt = '', tokenExchange }: OAuthHostConfig): void {
  if (subjectMode === 'pairwise' && (tokenExchange?.audiences ?? []).length > 0) {
    const problem = 'cannot be given with pairwise subjects, which other servers do not know'
    throw errors.OAU_CONFIG_INVALID({ path: 'tokenExchange.audiences', problem })
  }
  if (subjectMode !== 'pairwise' || pairwiseSalt !== '') return
  const problem = 'cannot be pairwise without pairwiseSalt'
  throw errors.OAU_CONFIG_INVALID({ path: 'subjectMode', problem })
}

function checkMetadataClients({ clientIdMetadata: own, scopes }: OAuthHostConfig): void {
  if (own === undefined || !(own.enabled ?? own.hosts !== undefined)) return
  if ((own.hosts ?? own.allowedHosts ?? []).length === 0) {
    const problem = 'must name the hosts that documents may be fetched from'
    throw errors.OAU_CONFIG_INVALID({ path: 'clientIdMetadata.allowedHosts', problem })
  }
  checkKnown(own.scopes, new Set(scopes.map(idOf)), 'clientIdMetadata.scopes')
  checkKnown(own.allowedScopes, new Set(scopes.map(idOf)), 'clientIdMetadata.allowedScopes')
}

function checkWebhooks({ events, subjectMode, tenantOf }: OAuthHostConfig): void {
  events?.webhooks?.forEach(({ url, secret = '', format, tenant }, at) => {
    const path = `events.webhooks.${at}`
    const { protocol = '' } = URL.canParse(url) ? new URL(url) : {}
    if (protocol !== 'https:' && protocol !== 'http:') {
      throw invalid(`${path}.url`, 'must be an absolute http or https URL', url)
    }
    if (secret !== '' && !isWebhookSecret(secret)) {
      const problem = 'must be whsec_ and at least 16 bytes as base64'
      throw errors.OAU_CONFIG_INVALID({ path: `${path}.secret`, problem })
    }
    if (format === 'caep' && subjectMode === 'pairwise') {
      const problem = 'cannot be caep with pairwise subjects, which other servers do not know'
      throw errors.OAU_CONFIG_INVALID({ path: `${path}.format`, problem })
    }
    if (tenant !== undefined && tenantOf === undefined) {
      throw errors.OAU_CONFIG_INVALID({ path: `${path}.tenant`, problem: 'needs tenantOf' })
    }
  })
}

function isWebhookSecret(secret: string): boolean {
  try {
    return readWebhookSecret(secret).length >= 16
  } catch {
    return false
  }
}

function checkTenants({ tenants, tenantOf, scopes }: OAuthHostConfig): void {
  if (tenants === undefined) return
  if (tenantOf === undefined) {
    const problem = 'needs tenantOf, which says whose people are whose'
    throw errors.OAU_CONFIG_INVALID({ path: 'tenants', problem })
  }
  const catalogue = new Set(scopes.map(idOf))
  const seen = new Set<string>()
  tenants.policies?.forEach((policy, at) => {
    const path = `tenants.policies.${at}`
    checkKnown(policy.scopes, catalogue, `${path}.scopes`)
    if (seen.has(policy.tenant)) {
      throw invalid(`${path}.tenant`, 'must not be given twice', policy.tenant)
    }
    seen.add(policy.tenant)
  })
}

function checkIssuers({ idJag: own }: OAuthHostConfig): void {
  own?.issuers?.forEach((given, at) => {
    const issuer = typeof given === 'string' ? given : given.issuer
    if (/^https:\/\/[^ #?]+[^ #?/]$/.test(issuer)) return
    const problem = 'must be an https address without a slash at its end'
    throw invalid(`idJag.issuers.${at}`, problem, issuer)
  })
}

function checkRegistration({ registration: own }: OAuthHostConfig): void {
  if (own?.enabled !== true || own.open === true) return
  if ((own.initialAccessTokens ?? []).length > 0) return
  const problem = 'must hold at least one token of 24 characters or more'
  throw errors.OAU_CONFIG_INVALID({ path: 'registration.initialAccessTokens', problem })
}
