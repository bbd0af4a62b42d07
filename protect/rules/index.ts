// The rules of protected resources, without a transport: for servers that look tokens up by themselves.
export { admit, type Decision, FOREIGN, hasScopes, type Needed, type ScopeMode } from './admit.ts'
export { type ChallengeAbout, challengeOf, insufficientScope, malformed } from './challenge.ts'
export {
  type Access,
  type AccessChecks,
  checkAccess,
  type TokenFacts,
  type TokenRequest
} from './check-access.ts'
export {
  createDpopChecker,
  DPOP_ALGS,
  type DpopBasis,
  type DpopChecker,
  isStrictAlg,
  type ProofRequest,
  type ProofResult
} from './dpop.ts'
export { isSame } from './is-same.ts'
export {
  type Credentials,
  plainBearer,
  readCredentials,
  schemeOf,
  type TokenScheme
} from './read-credentials.ts'
export { type Refusal, type RefusalRow, refusalBody, refusalTable } from './refusals.ts'
export {
  type DescribedResource,
  resourceDocument,
  resourceMetadataPath,
  resourceMetadataUrl
} from './resource-document.ts'
