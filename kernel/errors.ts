// Every error the kernel can raise, in one table. `kernel/ERRORS.md` is printed from it.
import { defineErrors, type ErrorTable } from '@keelson/sdk'
import { configErrors, manifestErrors } from './manifest/error-messages.ts'
import { registrationErrors } from './phases/error-messages.ts'

// Owner: storage/.
const storage = {
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

// Owner: schedule/.
const schedule = {
  KRN_JOB_CRON: {
    message:
      'Plugin {plugin}: the cron expression "{cron}" of the job "{job}" is not valid: {reason}.',
    remedy: 'Write five fields (minute hour day month weekday), UTC.',
    status: 500
  },
  KRN_RUN_TIMEOUT: {
    message: 'Plugin {plugin}: the {kind} "{name}" did not end within {seconds} s.',
    remedy: 'Make it faster, do less at a time, or raise its limit in plugin.json.',
    status: 500
  },
  KRN_QUEUE_SHARED: {
    message: 'Plugin {plugin}: the queues "{queue}" and "{other}" both use "{collection}".',
    remedy: 'Give each queue a collection of its own.',
    status: 500
  },
  KRN_QUEUE_ITEM: {
    message: 'Plugin {plugin}: an item for the queue "{queue}" {reason}.',
    remedy: 'Give each item a string _id, and no field that the queue itself keeps.',
    status: 500
  },
  KRN_TICKER_REAL: {
    message: 'runDue was called on a schedule that runs by itself.',
    remedy: 'Create the schedule with a manual ticker, as the test kit does.',
    status: 500
  }
} as const satisfies ErrorTable

// Owner: network/.
const network = {
  KRN_HOST_UNDECLARED: {
    message: 'Plugin {plugin} calls {host}, which its plugin.json does not declare.',
    remedy: 'Declare the host under `network` if the plugin is meant to call it.',
    status: 500
  },
  KRN_FETCH_PROTOCOL: {
    message:
      'Plugin {plugin} calls an address with {protocol}, and only http and https are allowed.',
    remedy: 'Use an http or https address.',
    status: 500
  },
  KRN_FETCH_REDIRECTS: {
    message: 'Plugin {plugin}: {host} answered with more than {count} redirects.',
    remedy: 'Call the address that they lead to.',
    status: 502
  },
  KRN_FETCH_TIMEOUT: {
    message: 'Plugin {plugin}: the call to {host} did not end within {seconds} s.',
    remedy: 'Try again later, or ask for less at a time.',
    status: 504
  },
  KRN_FETCH_SIZE: {
    message: 'Plugin {plugin}: the answer of {host} is longer than {bytes} bytes.',
    remedy: 'Ask for less at a time.',
    status: 502
  }
} as const satisfies ErrorTable

// Owner: shell/.
const shell = {} as const satisfies ErrorTable

// Owner: cli/.
const cli = {} as const satisfies ErrorTable

/** The rows by the part of the kernel that raises them, in the order of the reference page. */
export const errorSections = {
  manifest: manifestErrors,
  config: configErrors,
  registration: registrationErrors,
  storage,
  schedule,
  network,
  shell,
  cli
} as const

/** Every code the kernel can raise. */
export const errorTable = {
  ...manifestErrors,
  ...configErrors,
  ...registrationErrors,
  ...storage,
  ...schedule,
  ...network,
  ...shell,
  ...cli
} as const satisfies ErrorTable

/** Codes that were used once and are never given to something else. */
export const retiredCodes: readonly string[] = []

export const errors = defineErrors(errorTable)
