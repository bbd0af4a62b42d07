// What can go wrong with the database, its indexes and migrations: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'
import { indexErrorTable } from '@keelson/sdk/storage'

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
  KRN_ENGINE_MISSING: {
    message: 'No database: storage.uri is empty, and the storage engine {engine} is not installed.',
    remedy: 'Run npm install {engine}, or set storage.uri in the config to a MongoDB address.',
    status: 500
  },
  KRN_ENGINE_INVALID: {
    message: 'The storage engine {engine} of storage.engine in the config is not usable: {reason}.',
    remedy:
      'Install a package that exports startEngine (@keelson/sdk: StartEngine); see the cause.',
    status: 500
  },
  KRN_STORAGE_ENGINE: {
    message: 'The storage engine could not start in {folder} (storage.dataDir): {reason}.',
    remedy: 'Check that it is a folder that can be written and has room; see the cause.',
    status: 500
  },
  KRN_STORAGE_MONGOD: {
    message: 'The mongod of storage.mongod in the config could not start: {reason}.',
    remedy: '{hint}',
    status: 500
  },
  ...indexErrorTable,
  KRN_STORAGE_PENDING: {
    message:
      'The database lacks {count} of the declared collections, indexes or migrations, and storage.apply in the config is "check":\n{list}\n',
    remedy: 'Run keelson plan to see them, keelson apply to make them.',
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
  KRN_MIGRATION_FAILED: {
    message: 'Plugin {plugin}: the migration {migration} failed: {reason}.',
    remedy: 'See the cause; it runs again at the next start or with keelson apply.',
    status: 500
  }
} as const satisfies ErrorTable
