// The public entry of @keelson/sdk.
export { type Static, type TSchema, Type } from 'typebox'
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
  sdkErrors
} from './define-plugin.ts'
export {
  defineErrors,
  type ErrorConstructors,
  type ErrorDetails,
  type ErrorRow,
  type ErrorTable,
  KeelsonError
} from './errors.ts'
export type * from './host.ts'
export {
  configSchema,
  type PlatformConfig,
  type PluginConfig,
  pluginConfigSchema,
  type StorageConfig,
  storageConfigSchema
} from './manifest/config-schema.ts'
export {
  type Band,
  bandSchema,
  collectionSchema,
  indexSchema,
  jobSchema,
  type Manifest,
  type ManifestCollection,
  type ManifestIndex,
  type ManifestJob,
  type ManifestMigration,
  type ManifestPage,
  type ManifestQueue,
  type ManifestRoute,
  type ManifestUse,
  manifestSchema,
  migrationSchema,
  pageSchema,
  queueSchema,
  routeSchema,
  useSchema
} from './manifest/schema.ts'
export type * from './plugin-command.ts'
export type * from './storage/engine.ts'
export { type SyncOptions, syncCollections } from './storage/sync-collections.ts'
export { runTransaction } from './storage/transaction.ts'
