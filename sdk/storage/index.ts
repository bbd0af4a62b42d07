// The public entry of @keelson/sdk/storage: the planner and the applier that the kernel shares with syncCollections.
export { applyIndexes, createCollection, readIndexes } from './apply-indexes.ts'
export {
  type BlockedTransactions,
  createBlockedTransactions,
  type Follow,
  type SessionNote
} from './blocked-transactions.ts'
export {
  collectionNaming,
  collectionPrefix,
  type DeclaredCollection,
  declaredCollections,
  type NameCollection,
  QUEUE_INDEX,
  type StorageManifest,
  withCollectionNames
} from './declared-collections.ts'
export { indexErrorTable } from './index-errors.ts'
export {
  forgetCollection,
  KERNEL_PREFIX,
  readIndexRecords,
  readRecordsOf
} from './index-records.ts'
export { setPayloadIndexes } from './payload-indexes.ts'
export {
  type ApplyProgress,
  applyCollections,
  type CollectionPlan,
  planCollection,
  readCollections
} from './plan-collections.ts'
export {
  asActual,
  type BudgetProblem,
  checkIndexBudget,
  DEFAULT_INDEX_BUDGET,
  INDEX_CAP,
  type IndexStep,
  planIndexes,
  type WantedIndex
} from './plan-indexes.ts'
