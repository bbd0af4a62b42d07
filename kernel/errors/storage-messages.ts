// What can go wrong with the database, its indexes and migrations: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const storageErrors = {
  KRN_STORAGE_URI: {
    message: 'The connection string storage.uri in the config is not valid: {reason}.',
    remedy:
      'Write it as mongodb://… or mongodb+srv://…, or leave it empty for the built-in engine.',
    status: 500
  },
  KRN_STORAGE_UNREACHABLE: {
    message: 'The database cannot be reached ({where}): {reason}.',
    remedy: 'Check that it runs, that the address is right and that this machine may connect.',
    status: 503
  },
  KRN_STORAGE_ENGINE: {
    message: 'The built-in engine could not start in {folder}: {reason}.',
    remedy: 'Check that the folder can be written and has room; see the cause.',
    status: 500
  },
  KRN_STORAGE_MONGOD: {
    message: 'The mongod of storage.mongod in the config could not start: {reason}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_INDEX_CAP: {
    message:
      'Plugin {plugin}: the collection "{collection}" could come to {count} indexes, and MongoDB allows 64.',
    remedy: 'Lower indexBudget or payloadIndexBudget, or drop indexes that were made by hand.',
    status: 500
  },
  KRN_INDEX_CONFLICT: {
    message:
      'Plugin {plugin}: the index "{index}" of "{collection}" cannot be built beside "{stranger}", which was made by hand.',
    remedy: 'Drop "{stranger}" by hand when nobody needs it, then run keelson apply.',
    status: 500
  },
  KRN_INDEX_NOT_UNIQUE: {
    message:
      'Plugin {plugin}: documents in "{collection}" break a unique index that is to be built: {reason}.',
    remedy: 'Merge or remove the documents with equal keys, then run keelson apply.',
    status: 500
  },
  KRN_INDEX_FAILED: {
    message: 'Plugin {plugin}: the indexes of "{collection}" could not be changed: {reason}.',
    remedy: 'See the cause; when the database is well again, run keelson apply.',
    status: 500
  },
  KRN_INDEX_BY_HAND: {
    message: 'Plugin {plugin} calls {method} on "{collection}", but its indexes are declared.',
    remedy: 'Declare the index under `collections` in plugin.json, or use host.payloadIndexes.',
    status: 500
  },
  KRN_COLLECTION_BY_HAND: {
    message: 'Plugin {plugin} calls {method} on "{collection}", but the kernel keeps collections.',
    remedy: 'Delete documents with deleteMany; remove or rename the collection in a migration.',
    status: 500
  },
  KRN_COLLECTION_RESERVED: {
    message:
      'Plugin {plugin}: {path} in plugin.json is "{collection}", a name of the kernel itself.',
    remedy: 'Choose a name that does not begin with "keelson_".',
    status: 500
  },
  KRN_COLLECTION_OUTPUT: {
    message:
      'Plugin {plugin} writes with {stage} into "{collection}", which its plugin.json does not declare.',
    remedy: 'Declare it under `collections`.',
    status: 500
  },
  KRN_PAYLOAD_BUDGET: {
    message:
      'Plugin {plugin}: its config asks for {count} indexes on "{collection}", which exceeds budget {budget}.',
    remedy: 'Ask for fewer indexes, or raise `payloadIndexBudget` in plugin.json.',
    status: 500
  },
  KRN_PAYLOAD_NAME: {
    message: 'Plugin {plugin}: the payload index "{index}" of "{collection}" {reason}.',
    remedy: 'Give each payload index a name and keys of its own.',
    status: 500
  },
  KRN_MIGRATION_FAILED: {
    message: 'Plugin {plugin}: the migration {migration} failed: {reason}.',
    remedy: 'See the cause; it runs again at the next start or with keelson apply.',
    status: 500
  }
} as const satisfies ErrorTable
