// Every error the kernel can raise, in one table. `kernel/ERRORS.md` is printed from it.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

const manifest = {
  KRN_MANIFEST_UNREADABLE: {
    message: 'The manifest {file} cannot be read: {reason}.',
    remedy: 'Put a plugin.json with valid JSON beside the entry of the plugin.',
    status: 500
  },
  KRN_MANIFEST_UNKNOWN_KEY: {
    message: 'Plugin {plugin}: plugin.json has an unknown key at {path}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_MANIFEST_INVALID: {
    message: 'Plugin {plugin}: {path} in plugin.json {reason}.',
    remedy: 'Correct it after plugin-manifest.schema.json.',
    status: 500
  },
  KRN_VERSION_INVALID: {
    message: 'Plugin {plugin}: version "{version}" in plugin.json is not a semver version.',
    remedy: 'Write it as 1.2.3.',
    status: 500
  },
  KRN_RANGE_INVALID: {
    message: 'Plugin {plugin}: {path} in plugin.json holds "{range}", which is not a semver range.',
    remedy: 'Write it as ^1.0.0, or * for any version.',
    status: 500
  },
  KRN_KERNEL_RANGE: {
    message: "Plugin {plugin} asks for kernel {range}, but this kernel's API is {version}.",
    remedy:
      'Install a version of the plugin made for this kernel, or change `kernel` in plugin.json.',
    status: 500
  },
  KRN_REQUIRES_MISSING: {
    message: 'Plugin {plugin}: requires.{required} in plugin.json names a plugin that is not here.',
    remedy: 'Add {required} to the plugins of the config, or remove the requirement.',
    status: 500
  },
  KRN_REQUIRES_VERSION: {
    message:
      'Plugin {plugin}: {path} in plugin.json asks for {range}, but version {version} of {required} is installed.',
    remedy: 'Install a version of {required} that fits, or change the range.',
    status: 500
  },
  KRN_CYCLE: {
    message: 'The plugins require each other in a circle: {cycle}.',
    remedy: 'Remove one of these requirements from its plugin.json.',
    status: 500
  },
  KRN_PLUGIN_TWICE: {
    message: 'Two plugins have the id {plugin} ({first} and {second}).',
    remedy: 'Remove one of them, or give it an id of its own.',
    status: 500
  },
  KRN_ID_RESERVED: {
    message: 'Plugin {plugin}: the id in plugin.json is a name the kernel uses itself.',
    remedy: 'Choose another id.',
    status: 500
  },
  KRN_DUPLICATE: {
    message: 'Plugin {plugin}: {path} in plugin.json repeats {what}.',
    remedy: 'Declare it once.',
    status: 500
  },
  KRN_ROUTE_ADDRESS: {
    message: 'Plugin {plugin}: {path} in plugin.json needs exactly one of `path` and `at`.',
    remedy: 'Use `path` for an address below the mount, `at` for an absolute one.',
    status: 500
  },
  KRN_ROUTE_SCOPES: {
    message: 'Plugin {plugin}: {path} in plugin.json {reason}.',
    remedy: 'A bearer route names at least one scope; no other route names any.',
    status: 500
  },
  KRN_ROUTE_CLASH: {
    message: 'Plugin {plugin}: {path} in plugin.json declares {route}, which {other} serves.',
    remedy: 'Choose another path, or another mount for one of the two.',
    status: 500
  },
  KRN_JOB_TIMES: {
    message: 'Plugin {plugin}: {path} in plugin.json {reason}.',
    remedy: 'Give the job either `every` ("5 minutes") or `cron` (five fields, UTC).',
    status: 500
  },
  KRN_QUEUE_COLLECTION: {
    message: 'Plugin {plugin}: {path} in plugin.json names "{collection}", which is not declared.',
    remedy: 'Declare it under `collections`, or name a declared collection.',
    status: 500
  },
  KRN_COLLECTION_PREFIX: {
    message:
      'Plugin {plugin}: {path} in plugin.json is "{collection}", which does not start with "{prefix}".',
    remedy: 'Rename the collection, or declare a `collectionPrefix`.',
    status: 500
  },
  KRN_COLLECTION_TAKEN: {
    message:
      'Plugin {plugin}: {path} in plugin.json is "{collection}", which plugin {other} declares too.',
    remedy: 'Rename one of the two: a collection has one owner.',
    status: 500
  },
  KRN_INDEX_COUNT: {
    message:
      'Plugin {plugin}: {path} in plugin.json ("{collection}") declares {count} indexes, over its index budget of {budget}.',
    remedy: 'Remove indexes, or raise `indexBudget` if the writes can bear it.',
    status: 500
  },
  KRN_INDEX_TTL: {
    message: 'Plugin {plugin}: {path} in plugin.json has ttlSeconds on more than one key.',
    remedy: 'An index that expires documents has exactly one key.',
    status: 500
  },
  KRN_ELEMENT_PREFIX: {
    message:
      'Plugin {plugin}: {path} in plugin.json is "{element}", which does not start with "{plugin}-".',
    remedy: 'Name the element {plugin}-<page>.',
    status: 500
  },
  KRN_CAPABILITY_MISSING: {
    message: 'Plugin {plugin}: {path} in plugin.json needs {capability}, which no plugin provides.',
    remedy: 'Add a plugin that provides {capability}, or mark the use as optional.',
    status: 500
  },
  KRN_CAPABILITY_TAKEN: {
    message:
      'Plugin {plugin}: {path} in plugin.json is {capability}, which plugin {other} provides too.',
    remedy: 'Enable one of the two.',
    status: 500
  },
  KRN_MIGRATION_CODE: {
    message: 'Plugin {plugin}: {path} in plugin.json declares the migration {migration}, {reason}.',
    remedy: 'Declare each migration in plugin.json and give its code to definePlugin.',
    status: 500
  },
  KRN_PLUGIN_UNLOADABLE: {
    message: 'Plugin {plugin}: {file} cannot be loaded: {reason}.',
    remedy: 'Build the plugin, and check `main` in its plugin.json.',
    status: 500
  },
  KRN_PLUGIN_EXPORT: {
    message: 'Plugin {plugin}: {file} does not export what definePlugin returns.',
    remedy: 'Make it the default export.',
    status: 500
  },
  KRN_PLUGIN_ID_DIFFERS: {
    message: 'Plugin {plugin}: the id is "{found}" in {file}.',
    remedy: 'Use the id of plugin.json in the config and in the code.',
    status: 500
  },
  KRN_SEVERAL_PROBLEMS: {
    message: '{count} problems, nothing was started:\n{list}\n',
    remedy: 'Correct each of them as it says.',
    status: 500
  }
} as const satisfies ErrorTable

const config = {
  KRN_CONFIG_UNREADABLE: {
    message: 'The config {file} cannot be read: {reason}.',
    remedy: 'Give the path of a JSON file, or an object.',
    status: 500
  },
  KRN_CONFIG_UNKNOWN_KEY: {
    message: 'The config {file} has an unknown key at {path}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CONFIG_INVALID: {
    message: 'The config {file}: {path} {reason}.',
    remedy: 'Correct it after the schema of keelson.config.json (`configSchema` of @keelson/sdk).',
    status: 500
  },
  KRN_CONFIG_PLACEHOLDER: {
    message:
      'The config {file}: {path} asks for the environment variable {variable}, which is not set.',
    remedy: 'Set {variable}, or write a default as in {example}.',
    status: 500
  },
  KRN_CONFIG_PLUGIN_UNKNOWN: {
    message: 'The config {file}: plugins.{plugin} configures a plugin that is not here.',
    remedy: '{hint}',
    status: 500
  },
  KRN_PACKAGE_MISSING: {
    message:
      'Plugin {plugin}: the package "{package}" (plugins.{plugin}.package) is not found from {from}.',
    remedy: 'Install it, or correct the name or path in the config.',
    status: 500
  },
  KRN_PLUGIN_CONFIG_UNKNOWN_KEY: {
    message: 'Plugin {plugin}: its config has an unknown key at {path}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_PLUGIN_CONFIG_INVALID: {
    message: 'Plugin {plugin}: {path} in its config {reason}.',
    remedy: 'Correct the value in the config of the platform.',
    status: 500
  },
  KRN_ROLE_UNKNOWN: {
    message: 'The role "{role}" is unknown.',
    remedy: 'Use all, web or worker.',
    status: 500
  }
} as const satisfies ErrorTable

const registration = {
  KRN_KERNEL_TWICE: {
    message: 'The kernel is registered twice on one Fastify app.',
    remedy: 'Register it once and give it every plugin.',
    status: 500
  },
  KRN_PREPARE_FAILED: {
    message: 'Plugin {plugin} could not prepare: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_PREPARE_TIMEOUT: {
    message: 'Plugin {plugin} did not finish its prepare within {seconds} s.',
    remedy: 'Find what it waits for; prepare must end by itself.',
    status: 500
  },
  KRN_REGISTER_FAILED: {
    message: 'Plugin {plugin} could not register: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_REGISTER_TIMEOUT: {
    message: 'Plugin {plugin} did not finish its register within {seconds} s.',
    remedy: 'Move what takes long to `prepare`, which has a deadline of its own.',
    status: 500
  },
  KRN_READY_FAILED: {
    message: 'Plugin {plugin} failed in onReady: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_START_ABORTED: {
    message: 'The start was called off while it was in the phase {phase}.',
    remedy: 'Start again when it is wanted.',
    status: 503
  },
  KRN_ROUTE_UNDECLARED: {
    message: 'Plugin {plugin} registers {route}, which its plugin.json does not declare.',
    remedy: 'Declare it under `routes`, with the band of who may call it.',
    status: 500
  },
  KRN_ROUTE_MISSING: {
    message: 'Plugin {plugin} declares {route} ({path} in plugin.json) but does not register it.',
    remedy: 'Give it a handler with host.route, or remove the declaration.',
    status: 500
  },
  KRN_ROUTE_VERIFY: {
    message: 'Plugin {plugin}: the machine route {route} has no `verify`.',
    remedy: 'Give host.route a `verify(request)` that returns who calls, or null.',
    status: 500
  },
  KRN_COLLECTION_UNDECLARED: {
    message:
      'Plugin {plugin} asks for the collection "{collection}", which its plugin.json does not declare.',
    remedy: 'Declare it under `collections`, or ask its owner for a capability.',
    status: 500
  },
  KRN_JOB_UNDECLARED: {
    message:
      'Plugin {plugin} gives a handler for the job "{job}", which its plugin.json does not declare.',
    remedy: 'Declare it under `jobs`.',
    status: 500
  },
  KRN_JOB_MISSING: {
    message:
      'Plugin {plugin} declares the job "{job}" ({path} in plugin.json) but gives no handler.',
    remedy: 'Call host.job("{job}", handler) in register, or remove the declaration.',
    status: 500
  },
  KRN_QUEUE_UNDECLARED: {
    message:
      'Plugin {plugin} gives a handler for the queue "{queue}", which its plugin.json does not declare.',
    remedy: 'Declare it under `queues`.',
    status: 500
  },
  KRN_QUEUE_MISSING: {
    message:
      'Plugin {plugin} declares the queue "{queue}" ({path} in plugin.json) but gives no handler.',
    remedy: 'Call host.queue("{queue}", handler) in register, or remove the declaration.',
    status: 500
  },
  KRN_HANDLER_TWICE: {
    message: 'Plugin {plugin} gives {what} twice.',
    remedy: 'Give it once.',
    status: 500
  },
  KRN_PROVIDE_UNDECLARED: {
    message: 'Plugin {plugin} provides {capability}, which its plugin.json does not declare.',
    remedy: 'Declare it under `provides`.',
    status: 500
  },
  KRN_PROVIDE_MISSING: {
    message:
      'Plugin {plugin} declares {capability} ({path} in plugin.json) but does not provide it.',
    remedy: 'Call host.provide("{capability}", value) in register, or remove the declaration.',
    status: 500
  },
  KRN_USE_UNDECLARED: {
    message: 'Plugin {plugin} uses {capability}, which its plugin.json does not declare.',
    remedy: 'Declare it under `uses`.',
    status: 500
  },
  KRN_USE_TOO_EARLY: {
    message: 'Plugin {plugin} uses {capability} before it is provided.',
    remedy: 'Ask for it in onReady or in a handler.',
    status: 500
  },
  KRN_POINT_UNDECLARED: {
    message:
      'Plugin {plugin} extends {point}, which its plugin.json does not declare under `uses`.',
    remedy: 'Declare it under `uses`.',
    status: 500
  },
  KRN_POINT_FOREIGN: {
    message:
      'Plugin {plugin} reads the contributions of {point}, which is not an extension point of its own.',
    remedy: 'Declare it under `extensionPoints`, or ask its owner for a capability.',
    status: 500
  },
  KRN_TOO_LATE: {
    message: 'Plugin {plugin} calls host.{what} after its register phase.',
    remedy: 'Call it in register.',
    status: 500
  },
  KRN_PAGE_MODULE: {
    message: 'Plugin {plugin}: the module of {path} in plugin.json is missing ({file}).',
    remedy: 'Build the pages, or correct `module`.',
    status: 500
  },
  KRN_VIEWER_FAILED: {
    message: 'Who is looking could not be resolved.',
    remedy: 'See the log of the host for the cause.',
    status: 500
  }
} as const satisfies ErrorTable

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
  manifest,
  config,
  registration,
  storage,
  schedule,
  network,
  shell,
  cli
} as const

/** Every code the kernel can raise. */
export const errorTable = {
  ...manifest,
  ...config,
  ...registration,
  ...storage,
  ...schedule,
  ...network,
  ...shell,
  ...cli
} as const satisfies ErrorTable

/** Codes that were used once and are never given to something else. */
export const retiredCodes: readonly string[] = []

export const errors = defineErrors(errorTable)
