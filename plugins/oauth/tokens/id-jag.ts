// Identity assertions (ID-JAG) of trusted issuers: signed for this server and this client, short-lived, used once.
import { isStrictAlg } from '@keelson/protect/rules'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  jwtVerify
} from 'jose'
import { ASSERTION_ALGS, type KeySource } from '../clients/assertion.ts'
import type { Settings, TrustedIssuer } from '../config/settings.ts'
import { TOLERANCE_SECONDS, timesProblem } from '../proofs/assertion-times.ts'
import { REPLAY_MARGIN_SECONDS, type ReplayBook } from '../proofs/replay-book.ts'
import { isStrict } from '../proofs/strict.ts'
import type { OAuthClient } from '../storage/rows.ts'

const TYPE = 'oauth-id-jag+jwt'
const MAX_LENGTH = 8192

/** What an assertion says, once it is proven. */
export interface ProvenAssertion {
  readonly issuer: TrustedIssuer
  readonly subject: string
  readonly resources: readonly string[]
  /** Undefined: the issuer sets no limit. */
  readonly scope: string | undefined
}

/** The assertion, or why it is refused, as part of a sentence. */
export type CheckedAssertion =
  | { readonly ok: true; readonly proven: ProvenAssertion }
  | { readonly ok: false; readonly reason: string }

export interface IdJagChecker {
  /** `jkt`: the key that the caller proved to hold. */
  check(assertion: string, client: OAuthClient, jkt: string | undefined): Promise<CheckedAssertion>
}

/** Where the keys of issuers come from. */
export interface IssuerKeys {
  addressOf(issuer: TrustedIssuer): Promise<string | undefined>
  readonly source: KeySource
}

const no = (reason: string) => ({ ok: false, reason }) as const

export function createIdJagChecker(
  settings: Settings,
  replays: ReplayBook,
  keys: IssuerKeys
): IdJagChecker {
  const verified = async (
    assertion: string,
    issuer: TrustedIssuer,
    client: OAuthClient
  ): Promise<JWTPayload | undefined> => {
    const address = await keys.addressOf(issuer)
    if (address === undefined) return undefined
    const known = await keys.source.keysOf(address, false)
    const { kid } = decodeProtectedHeader(assertion)
    const isThere = kid === undefined || known?.keys.some((key) => key.kid === kid) === true
    const set = isThere ? known : await keys.source.keysOf(address, true)
    if (set === undefined) return undefined
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(set), {
      algorithms: isStrict(client) ? ASSERTION_ALGS.filter(isStrictAlg) : ASSERTION_ALGS,
      typ: TYPE,
      issuer: issuer.issuer,
      requiredClaims: ['exp', 'iat', 'jti', 'aud', 'client_id'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: settings.now()
    })
    return payload
  }

  return {
    async check(assertion, client, jkt) {
      if (assertion.length > MAX_LENGTH) return no('it is too long')
      const issuer = issuerOf(assertion, settings)
      if (issuer === undefined) return no('its issuer is not trusted')
      const payload = await verified(assertion, issuer, client).catch(() => undefined)
      if (payload === undefined) return no('its signature, type or times are wrong')
      const problem = claimsProblem(payload, { client, jkt, issuer }, settings)
      if (problem !== undefined) return no(problem)
      const { jti, exp = 0 } = payload
      const until = new Date((exp + TOLERANCE_SECONDS + REPLAY_MARGIN_SECONDS) * 1000)
      if (!(await replays.isFirst(`id-jag ${issuer.issuer} ${jti}`, until))) {
        return no('it was used before')
      }
      const { resource, scope } = payload
      const proven: ProvenAssertion = {
        issuer,
        subject: String(payload[issuer.subjectClaim]),
        resources: [resource ?? []].flat().map(String),
        scope: typeof scope === 'string' ? scope : undefined
      }
      return { ok: true, proven }
    }
  }
}

function issuerOf(assertion: string, { idJag }: Settings): TrustedIssuer | undefined {
  try {
    return idJag?.issuers.get(decodeJwt(assertion).iss ?? '')
  } catch {
    return undefined
  }
}

/** Why the claims of a signed assertion are refused; undefined when they fit. Pure. */
export function claimsProblem(
  payload: JWTPayload,
  about: {
    readonly client: Pick<OAuthClient, 'clientId'>
    readonly jkt: string | undefined
    readonly issuer: TrustedIssuer
  },
  settings: Pick<Settings, 'issuer' | 'now'>
): string | undefined {
  const { aud, jti } = payload
  const audiences = [aud ?? []].flat()
  // Another server among the audiences could present it here.
  if (audiences.length !== 1 || audiences[0] !== settings.issuer) return 'aud is not this server'
  if (payload['client_id'] !== about.client.clientId) return 'client_id is another client'
  const subject = payload[about.issuer.subjectClaim]
  if (typeof subject !== 'string' || subject === '' || subject.length > 255) {
    return `${about.issuer.subjectClaim} is not a person`
  }
  if (typeof jti !== 'string' || jti === '') return 'jti is missing'
  const times = timesProblem(payload, settings.now())
  if (times !== undefined) return times
  const { jkt } = (payload['cnf'] ?? {}) as { jkt?: unknown }
  return jkt === undefined || jkt === about.jkt ? undefined : 'cnf.jkt is another key'
}
