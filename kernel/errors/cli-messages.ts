// What the command line finds wrong: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const cliErrors = {
  KRN_CLI_JOB_UNKNOWN: {
    message: 'The platform has no job "{job}".',
    remedy: '{hint}',
    status: 500
  },
  KRN_CLI_JOB_SEVERAL: {
    message: 'Several plugins have a job "{job}": {names}.',
    remedy: 'Use the whole name, like {first}, or name the plugin with --plugin.',
    status: 500
  },
  KRN_CLI_PURGE_ENABLED: {
    message: 'Plugin {plugin} is enabled in {file}: a host that runs would make its data again.',
    remedy:
      'Set "enabled": false for it or remove its entry, restart the hosts, then run keelson purge.',
    status: 500
  },
  KRN_CLI_MOVE_TAKEN: {
    message: 'The database {database} of the target is not empty; nothing was written.',
    remedy:
      'Name an empty database. A copy that was interrupted goes on only for the source that it began with.',
    status: 500
  },
  KRN_CLI_MOVE_CHANGING: {
    message: '{collection} changes while it is copied.',
    remedy: 'Stop all hosts of the platform, then run the command again: it goes on from here.',
    status: 500
  },
  KRN_CLI_CHANGE_IN_CODE: {
    message: 'The host gives {plugins} in code, so the command line cannot check the change.',
    remedy: 'Use the page Plugins, or give these plugins in a keelson.config.js (`use`).',
    status: 500
  },
  KRN_CLI_CONFIG_MISSING: {
    message: 'No config file found for the folder {folder}.',
    remedy:
      'Run this in a folder with a keelson.config.json, .js or .ts, name the file in its package.json ("keelson": { "config": "…" }), or set KEELSON_CONFIG.',
    status: 500
  },
  KRN_CLI_CONFIG_SEVERAL: {
    message: 'The folder {folder} has several config files: {files}.',
    remedy: 'Keep one of them, or set KEELSON_CONFIG.',
    status: 500
  },
  KRN_CLI_FOLDER_TAKEN: {
    message: 'The folder {folder} exists already; nothing was written.',
    remedy: 'Choose another name, or remove the folder.',
    status: 500
  },
  KRN_CLI_FILE_MISSING: {
    message: 'Plugin {plugin}: {path} in plugin.json names {file}, which does not exist.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CLI_PAGE_SYNTAX: {
    message: 'Plugin {plugin}: {file} of {path} is not a valid module: {reason}.',
    remedy: 'Correct the file; a browser cannot load it.',
    status: 500
  },
  KRN_CLI_PAGE_IMPORT: {
    message: 'Plugin {plugin}: {file} imports "{specifier}", which a browser cannot load.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CLI_PAGE_ELEMENT: {
    message: 'Plugin {plugin}: {file} ({path}) does not define the element {element}.',
    remedy: 'Define it there with definePage or customElements.define, or correct `element`.',
    status: 500
  },
  KRN_CLI_START_FAILED: {
    message: 'Plugin {plugin}: the host did not start: {reason}.',
    remedy: 'See the cause; correct it and run keelson check --start again.',
    status: 500
  },
  KRN_CLI_ROUTE_FAILED: {
    message: 'Plugin {plugin}: {route} answers {status}: {reason}.',
    remedy:
      'Correct the handler, or the response schema that its answer does not fit: a request without parameters must not fail.',
    status: 500
  },
  KRN_CLI_JOB_FAILED: {
    message: 'Plugin {plugin}: the job "{job}" fails: {reason}.',
    remedy: 'Correct the handler: a job must not fail on an empty database.',
    status: 500
  },
  KRN_CLI_WITH_MISSING: {
    message: 'The package {package} is not installed in {folder}, or is older than this command.',
    remedy: 'Install it there: npm install --save-dev {package}.',
    status: 500
  },
  KRN_CLI_UNPACKED: {
    message: 'Plugin {plugin}: {path} in package.json names {file}, which the package lacks.',
    remedy: 'Add it to `files` in package.json, or build it before you pack.',
    status: 500
  },
  KRN_CLI_TARBALL: {
    message: '{file} cannot be unpacked: {reason}.',
    remedy: 'Give keelson check a folder, or a file that npm pack has written.',
    status: 500
  },
  KRN_CLI_CONTRIBUTION_FAILED: {
    message: 'Plugin {plugin}: {what} ({path}) fails beside the stand-in for the mailer: {reason}.',
    remedy: 'Correct it: it is asked for each mail, publication or tick.',
    status: 500
  },
  KRN_CLI_QUERY_UNINDEXED: {
    message: 'Plugin {plugin}: a query of {collection} has no index: {query}.',
    remedy:
      'Declare one in plugin.json that begins with the fields of the filter and goes on with those of the sort.',
    status: 500
  },
  KRN_CLI_OFFLINE: {
    message: 'keelson check makes no calls to other hosts, and {host} was called.',
    remedy: 'Test what depends on {host} with the test kit, whose outside is a mock.',
    status: 500
  },
  KRN_CLI_STALE: {
    message: 'Plugin {plugin}: {path} differs from {other}.',
    remedy: '{hint}',
    status: 500
  },
  KRN_CLI_COMMANDS: {
    message: 'Plugin {plugin}: its commands cannot be loaded from {file}: {reason}.',
    remedy: 'Build the plugin; `keelson.commands` in its package.json names the module.',
    status: 500
  },
  KRN_CLI_NO_DATABASE: {
    message:
      'Plugin {plugin}: its command {command} declares that it needs no database, and uses one.',
    remedy: 'Remove `database: false` from the command.',
    status: 500
  },
  KRN_CLI_NO_PROJECT: {
    message: 'The folder {folder} has neither a plugin.json nor a keelson.config.json, .js or .ts.',
    remedy: 'Run this in the folder of a plugin or of a platform.',
    status: 500
  },
  KRN_CLI_APP_MISSING: {
    message: 'No app found at {path}.',
    remedy:
      'Name the file that starts it: keelson serve server.js, keelson dev --app server.js, or "keelson": { "app": "server.js" } in the package.json of the app.',
    status: 500
  },
  KRN_CLI_NOT_LOOPBACK: {
    message: 'HOST is {host}, and keelson dev signs every visitor in.',
    remedy: 'Leave HOST at 127.0.0.1.',
    status: 500
  },
  KRN_CLI_VIEWER_PROVIDED: {
    message: 'Plugin {plugin} says who is signed in, so that --viewer has no effect.',
    remedy: 'Leave --viewer out and sign in, or switch the plugin off.',
    status: 500
  },
  KRN_CLI_BUILD_MISSING: {
    message:
      'The plugin in {folder} has to be built, and the package @keelson/ui-build is not installed.',
    remedy: 'Install it: npm install --save-dev @keelson/ui-build.',
    status: 500
  },
  KRN_CLI_BUILD_FAILED: {
    message: 'The plugin in {folder} cannot be built: {reason}',
    remedy: 'Correct it and build again.',
    status: 500
  },
  KRN_CLI_PAGE_UNBUILT: {
    message:
      'Plugin {plugin}: {path} names {file}, which imports {names}. A browser on another site cannot find packages by name.',
    remedy: 'Build the page (keelson build), or set "embed": false for it.',
    status: 500
  }
} as const satisfies ErrorTable
