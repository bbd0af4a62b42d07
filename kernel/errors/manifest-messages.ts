// What the validate phase can refuse: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const manifestErrors = {
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
    remedy: 'Correct it: plugin-manifest.schema.json says what is allowed.',
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
    message:
      'Plugin {plugin}: requires.{required} in plugin.json names a plugin that the platform does not have.',
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
    remedy: 'Remove one of them, or give it another id.',
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
  KRN_ROUTE_WILDCARD: {
    message: 'Plugin {plugin}: {path} in plugin.json {reason}.',
    remedy:
      'Declare each operation with its own address. A wildcard is for files and for protocols: give `wildcard` the reason.',
    status: 500
  },
  KRN_OPERATION_DRIFT: {
    message: 'Plugin {plugin}: {path} in plugin.json: the operation {operation} {problem}.',
    remedy: 'Run keelson build in the folder of the plugin: it writes the entries of operations.',
    status: 500
  },
  KRN_ROUTE_SCOPES: {
    message: 'Plugin {plugin}: {path} in plugin.json {reason}.',
    remedy:
      'A bearer route names at least one scope. A route of band viewer or admin that takes access tokens and changes something names one such as orders:write. Routes of other bands name none.',
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
      'Plugin {plugin}: {path} in plugin.json ("{collection}") declares more indexes than it may: {count}, over its index budget of {budget}.',
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
  KRN_BADGE_ROUTE: {
    message:
      'Plugin {plugin}: {path} in plugin.json is "{badge}", which is not the path of a declared GET route.',
    remedy: 'Declare the route under "routes", or correct the path.',
    status: 500
  },
  KRN_CAPABILITY_MISSING: {
    message: 'Plugin {plugin}: {path} in plugin.json needs {capability}, which no plugin provides.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CAPABILITY_TAKEN: {
    message:
      'Plugin {plugin}: {path} in plugin.json is {capability}, which plugin {other} provides too.',
    remedy: 'Enable one of the two.',
    status: 500
  },
  KRN_MIGRATION_CODE: {
    message:
      'Plugin {plugin}: {path} in plugin.json declares the migration {migration}, which has no code.',
    remedy: 'Give its code to definePlugin (`migrations`), or remove the declaration.',
    status: 500
  },
  KRN_MIGRATION_UNDECLARED: {
    message:
      'Plugin {plugin}: {path} in plugin.json does not declare the migration {migration}, which has code.',
    remedy: 'Declare it in plugin.json, or remove its code.',
    status: 500
  },
  KRN_SWITCHED_OFF: {
    message: 'Plugin {plugin} is switched off in the config.',
    remedy: 'Set plugins.{plugin}.enabled to true to start it.',
    status: 503
  },
  KRN_DEPENDENCY_DOWN: {
    message: 'Plugin {plugin} needs {needed}, which is {state}.',
    remedy:
      'Start {needed} first. Its own entry in the health of the plugins says why it is {state}.',
    status: 503
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
  KRN_PLUGIN_VALUE: {
    message: '{source} must be a plugin, which definePlugin returns; it is {kind}.',
    remedy:
      'Give the default export of the plugin. A package by its name belongs to the config: plugins.<id>.package.',
    status: 500
  },
  KRN_PLUGIN_ID_DIFFERS: {
    message: 'Plugin {plugin} ({path}): the id is "{found}" in {file}.',
    remedy: 'Use the id of plugin.json in the config and in the code.',
    status: 500
  },
  KRN_SEVERAL_PROBLEMS: {
    message: '{count} problems, nothing was started:\n{list}\n',
    remedy: 'Correct each of them as it says.',
    status: 500
  }
} as const satisfies ErrorTable

export const configErrors = {
  KRN_CONFIG_UNREADABLE: {
    message: 'The config {file} cannot be read: {reason}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CONFIG_TYPESCRIPT: {
    message: 'The config {file} is TypeScript, which Node {version} does not read by itself.',
    remedy: 'Use Node 22.18 or newer, or write it as keelson.config.js.',
    status: 500
  },
  KRN_CONFIG_UNKNOWN_KEY: {
    message: 'The config {file} has an unknown key at {path}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CONFIG_INVALID: {
    message: 'The config {file}: {path} {reason}.',
    remedy:
      'Correct it: the schema of keelson.config.json says what is allowed (`configSchema` of @keelson/sdk).',
    status: 500
  },
  KRN_CONFIG_PLACEHOLDER: {
    message:
      'The config {file}: {path} asks for the environment variable {variable}, which is not set.',
    remedy: 'Set {variable}, or write a default as in {example}.',
    status: 500
  },
  KRN_SECRETS_PUBLISHED: {
    message:
      'Others can reach this host by {by}, and these secrets have the defaults of the config, which anyone can read: {list}.',
    remedy:
      'Set these environment variables (`keelson secrets` prints values), or listen on 127.0.0.1 without auth.publicUrl.',
    status: 500
  },
  KRN_CONFIG_PLUGIN_UNKNOWN: {
    message: 'The config {file}: plugins.{plugin} configures a plugin that is not installed.',
    remedy: '{hint}',
    status: 500
  },
  KRN_PACKAGE_MISSING: {
    message: 'Plugin {plugin}: the package "{package}" (plugins.{plugin}.package) {reason}.',
    remedy: '{hint}',
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
  KRN_SETTING_UNKNOWN: {
    message:
      'Plugin {plugin}: {path} in plugin.json names the setting {setting}, which its config schema does not have.',
    remedy: '{hint}',
    status: 500
  },
  KRN_OPTION_UNKNOWN: {
    message: 'The kernel was registered with the unknown option "{option}".',
    remedy: '{hint}',
    status: 500
  },
  KRN_OPTION_INVALID: {
    message: 'The kernel was registered with an option `{option}` that {reason}.',
    remedy:
      'See the options of app.register(keelson, …) in @keelson/sdk/reference/register-options.md.',
    status: 500
  },
  KRN_ROLE_UNKNOWN: {
    message: 'The role "{role}" is unknown.',
    remedy: 'Use all, web or worker.',
    status: 500
  }
} as const satisfies ErrorTable
