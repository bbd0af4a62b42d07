// What can go wrong when collections and indexes are brought in line with a manifest.
import { defineErrors, type ErrorTable } from '../errors.ts'

/** The rows, which the kernel's error table holds too. */
export const indexErrorTable = {
  KRN_INDEX_CAP: {
    message:
      'Plugin {plugin}: the collection "{collection}" could come to {count} indexes, and MongoDB allows 64.',
    remedy: 'Lower indexBudget or payloadIndexBudget, or drop indexes that were made by hand.',
    status: 500
  },
  KRN_INDEX_CONFLICT: {
    message:
      'Plugin {plugin}: the index "{index}" of "{collection}" cannot be built beside "{stranger}", which was made by hand.',
    remedy: 'Drop "{stranger}" by hand if it is not needed, then run keelson apply.',
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
  KRN_PAYLOAD_BUDGET: {
    message:
      'Plugin {plugin}: its config asks for {count} indexes on "{collection}", which exceeds budget {budget}.',
    remedy: 'Ask for fewer indexes, or raise `payloadIndexBudget` in plugin.json.',
    status: 500
  },
  KRN_PAYLOAD_NAME: {
    message: 'Plugin {plugin}: the payload index "{index}" of "{collection}" {reason}.',
    remedy: 'Give each payload index a different name and different keys.',
    status: 500
  },
  KRN_COLLECTIONS_INVALID: {
    message: 'Plugin {plugin}: {path} in its manifest {problem}.',
    remedy: 'Correct it: plugin-manifest.schema.json says what is allowed.',
    status: 500
  }
} as const satisfies ErrorTable

export const indexErrors = defineErrors(indexErrorTable)
