// The public entry of @keelson/oauth.

export {
  accessOf,
  type OAuthAccess,
  type Protection,
  type ProtectOptions
} from '@keelson/sdk/contracts/oauth-protect'
export type { ClientFields } from './clients/client-fields.ts'
export type { ClientStore, CreatedClient } from './clients/client-store.ts'
export type {
  ContextOption,
  GrantContext,
  LoadUser,
  OAuthEvent,
  OAuthLogger,
  OAuthUser,
  RateLimitStore,
  ResolveUser,
  UserAdapter
} from './config/host-code.ts'
export type {
  MetadataClientOptions,
  OAuthHostConfig,
  RateLimitOptions,
  RegistrationOptions,
  ResourceOptions,
  ScopeOptions,
  SigningAlg,
  SigningKeyOptions
} from './config/schema.ts'
export { defaultResolveUser } from './config/settings.ts'
export { createUserAdapter } from './config/user-adapter.ts'
export { createOAuthHost } from './create-oauth-host.ts'
export type { ContextsApi, GrantsApi, UsersApi } from './grants/grants-api.ts'
export type { ListedGrant } from './grants/list-grants.ts'
export {
  OAuthError,
  type OAuthErrorOptions,
  RedirectableAuthError,
  UnredirectableError
} from './oauth-errors.ts'
export type { OAuthHost } from './oauth-host.ts'
export { default } from './plugin.ts'
export {
  type Connection,
  createModels,
  type ModelOptions,
  type OAuthModels,
  syncModelIndexes
} from './storage/collections.ts'
export type {
  OAuthAudit,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthKey,
  OAuthRequest,
  OAuthToken,
  PublicClient
} from './storage/rows.ts'
export {
  CHATGPT_CONNECTOR_REDIRECT_URI_PATTERN,
  CHATGPT_LEGACY_REDIRECT_URI,
  CIMD_ALLOWED_HOSTS,
  CLAUDE_CODE_REDIRECT_URIS,
  CLAUDE_COM_CONNECTOR_REDIRECT_URI,
  CLAUDE_CONNECTOR_REDIRECT_URI,
  CLIENT_PRESETS,
  type ClientPreset,
  CURSOR_REDIRECT_URIS,
  codexRedirectUri,
  VSCODE_REDIRECT_URIS
} from './vendors.ts'
