// The public entry of @keelson/sdk/versions: documents that are drafted and published, and runs that follow them.
export {
  type Change,
  type Changed,
  changeDocument,
  clashRefusal,
  createDocument,
  type Deciding,
  deleteDocument,
  type Write
} from './change-document.ts'
export {
  type ActiveRow,
  type Changing,
  changeRun,
  notActive,
  type RunChange,
  type RunChanged,
  type RunKind
} from './change-run.ts'
export {
  type Clash,
  type Expected,
  isUnchanged,
  storedDraft
} from './plan-versions.ts'
export { contentAt, listVersionsOf, readDocument, readVersionOf } from './read-versions.ts'
export {
  type ChangeEntry,
  refuse,
  unknown,
  unknownVersion,
  type Versioned,
  type VersionRefusal,
  type VersionSeams
} from './versioned.ts'
export {
  type VersionedRow,
  type VersionRow,
  type VersionState,
  versionId
} from './versioned-row.ts'
