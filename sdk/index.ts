// The public entry of @keelson/sdk.

export { atFirstUse } from './at-first-use.ts'
export { belowPrefix } from './below-prefix.ts'
export { type BoundedMap, createBoundedMap } from './bounded-map.ts'
export type { Clock } from './clock.ts'
export {
  type AnyContract,
  type Capability,
  type Contract,
  type ContractFault,
  type ContractType,
  contractFault,
  defineCapability,
  defineExtensionPoint,
  type ExtensionPoint,
  functionSchema,
  optionalFunctions,
  requiredFunctions
} from './contracts/contract.ts'
export { type ConfigModule, defineConfig } from './define-config.ts'
export {
  configJsonSchema,
  DEFINITION,
  definePlugin,
  definitionOf,
  KERNEL,
  type KeelsonPlugin,
  type KernelSeam,
  type PluginDefinition,
  type PluginOptions,
  type PluginParts,
  sdkErrors
} from './define-plugin.ts'
export { type Environment, environmentOf } from './environment.ts'
export {
  defineErrors,
  type ErrorConstructors,
  type ErrorDetails,
  type ErrorRow,
  type ErrorTable,
  KeelsonError
} from './errors.ts'
export { fitsSchema } from './fits-schema.ts'
export type * from './health.ts'
export type * from './host.ts'
export {
  acceptCrossOrigin,
  type CorsPolicy,
  corsConfig,
  corsHeaders,
  corsHook,
  isAddedPreflight,
  isPreflight
} from './http/cross-origin.ts'
export { acceptEmptyJson } from './http/empty-json.ts'
export {
  type ErrorBody,
  type ErrorBodyParts,
  errorBody,
  errorBodySchema,
  type FieldFault,
  fieldFaultSchema
} from './http/error-body.ts'
export {
  hostNameOf,
  isFromThisMachine,
  isLoopbackHost,
  isLoopbackUrl,
  type PeerRequest
} from './http/loopback.ts'
export {
  isOriginKnown,
  isOriginRight,
  type OriginRequest,
  type OriginRule,
  originRule,
  TOKEN_SCHEME,
  urlOrigin
} from './http/origin-rule.ts'
export { isRefusal, type Refusal, type RefusalAnswer, refuse, sendRefusal } from './http/refuse.ts'
export { retryAfterTime } from './http/retry-after.ts'
export type * from './job.ts'
export {
  type Lease,
  type Leased,
  LeaseLost,
  type LeaseOptions,
  type LeasesOptions,
  openLeases,
  type TakeLease
} from './lease/lease.ts'
export { addressKey } from './limits/address-key.ts'
export {
  createLimiter,
  type Limit,
  type Limiter,
  type LimiterOptions,
  type LimitOptions,
  type StoredLimit,
  type Taken,
  type TakeOptions
} from './limits/limiter.ts'
export type { CheckedManifest } from './manifest/checked-manifest.ts'
export {
  configSchema,
  type KeelsonConfig,
  type PluginConfig,
  pluginConfigSchema,
  type StorageConfig,
  storageConfigSchema
} from './manifest/config-schema.ts'
export { type ManifestPage, pageSchema } from './manifest/page-schema.ts'
export {
  type Band,
  bandSchema,
  collectionSchema,
  effectSchema,
  indexSchema,
  jobSchema,
  type Manifest,
  type ManifestCollection,
  type ManifestIndex,
  type ManifestJob,
  type ManifestMigration,
  type ManifestQueue,
  type ManifestRoute,
  type ManifestUse,
  manifestSchema,
  migrationSchema,
  queueSchema,
  routeSchema,
  useSchema
} from './manifest/schema.ts'
export { butIs, type SchemaFault, schemaFault, schemaFaults } from './manifest/schema-fault.ts'
export { nameHint, nearestName } from './nearest-name.ts'
export { WEBHOOK_FORMATS, type WebhookFormat, webhookBody } from './notify/chat-formats.ts'
export type { Notified } from './notify/judge-answer.ts'
export {
  createNotify,
  type Notice,
  type Notify,
  type NotifyFetch,
  type NotifyOptions,
  type WebhookTarget
} from './notify/notify.ts'
export { newWebhookSecret, readWebhookSecret, webhookSignature } from './notify/sign.ts'
export { type Actor, actorOfViewer, originOf, systemActor } from './operation/actor.ts'
export { Answered, type AnswerFacts, answered } from './operation/answered.ts'
export {
  type CallAnswer,
  type CallContext,
  type CallOutcome,
  type CallParts,
  callOperation,
  readable,
  runOperation
} from './operation/call-operation.ts'
export {
  type OperationOptions,
  operation,
  type TypedInput
} from './operation/define-operation.ts'
export { InvalidInput, partCheck, type RequestPart, sizeFault } from './operation/input.ts'
export {
  manifestRouteOf,
  type OperationDrift,
  operationDrift,
  withOperations
} from './operation/manifest-routes.ts'
export {
  type MatchedOperation,
  type MatchOperation,
  operationMatcher
} from './operation/match-operation.ts'
export {
  type DescribedAnswer,
  type DescribedRoute,
  describedOperation,
  describedRefusals,
  type OpenApiFacts,
  type OperationsFacts,
  openApiDocument
} from './operation/openapi-document.ts'
export {
  type Access,
  type BoundOperation,
  bindOperations,
  type Call,
  type Effect,
  type Operation,
  type OperationFacts,
  type OperationHints,
  type OperationInput,
  statusesOf
} from './operation/operation.ts'
export { actorOfOwner, type Owner, ownerOf } from './operation/owner.ts'
export {
  defineRefusals,
  isRefused,
  type RefusalRow,
  type Refusals,
  type RefusalTable,
  type Refused
} from './operation/refusals.ts'
export {
  OWN_REFUSALS,
  operationOf,
  operationRoutes,
  permissionRefusal,
  refusalAnswer,
  refusalOf,
  type ServeEach,
  type ServeOptions
} from './operation/serve.ts'
export type { UploadedFile, UploadLimits } from './operation/upload.ts'
export type * from './plugin-command.ts'
export type * from './queue/queue.ts'
export type {
  RouteBody,
  RouteContext,
  RouteHandler,
  RouteOptions,
  RouteRequest,
  Sendable
} from './route.ts'
export { pauseAfter } from './schedule/pause-after.ts'
export { closed, optional, text } from './schema-parts.ts'
export {
  defineSentences,
  hintOf,
  joinSentences,
  type Said,
  type Say,
  type Sentence,
  type SentenceTable,
  saidSchema
} from './sentences.ts'
export { isClientClosed } from './storage/client-closed.ts'
export { isDatabaseAway } from './storage/database-away.ts'
export type * from './storage/engine.ts'
export { DURABLE, insertNew } from './storage/insert-new.ts'
export { isMissingFeature } from './storage/missing-feature.ts'
export {
  type NewestOptions,
  type NewestPage,
  type PageOfRows,
  readNewest,
  readNewestOfAny
} from './storage/newest-first.ts'
export { type SyncOptions, syncCollections } from './storage/sync-collections.ts'
export { runTransaction } from './storage/transaction.ts'
export { type Static, type TSchema, Type } from './typebox.ts'
export type { Viewer } from './viewer.ts'
export { settledWithin, type WaitLimits, within } from './within.ts'
