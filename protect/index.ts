// The public entry of @keelson/protect: the protection of a resource without a transport, and its types.
export { type Access, accessOf } from './access.ts'
export { ProtectError, VerifierUnavailable } from './errors.ts'
export type {
  DpopOptions,
  IntrospectionOptions,
  JwtOptions,
  ProtectorOptions,
  ReplayStore
} from './options.ts'
export {
  type Check,
  createProtector,
  type ProtectionOptions,
  type Protector,
  type Verdict
} from './protector.ts'
export type { TokenRequest } from './rules/check-access.ts'
export { type Refusal, refusalBody } from './rules/refusals.ts'
