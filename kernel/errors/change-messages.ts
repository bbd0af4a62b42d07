// What keeps a plugin from being switched or configured while the platform runs.
import type { ErrorTable } from '@keelson/sdk'

export const changeErrors = {
  KRN_CHANGE_UNKNOWN: {
    message: 'The platform has no plugin {plugin}.',
    remedy: '{hint}',
    status: 404
  },
  KRN_CHANGE_NEEDED: {
    message: 'Plugin {plugin} cannot be disabled: without it {list} would stop.',
    remedy: 'Disable {list} first.',
    status: 409
  },
  KRN_CHANGE_KEPT: {
    message: 'Plugin {plugin} has the sign-in or the page of plugins: you would lock yourself out.',
    remedy: 'Run keelson disable {plugin} where the config is.',
    status: 409
  },
  KRN_CHANGE_REFUSED: {
    message: 'Plugin {plugin} was not changed: {reason}',
    remedy: '{advice}',
    status: 409
  },
  KRN_CHANGE_PENDING: {
    message:
      'Plugin {plugin} needs {count} changes of the database, and storage.apply does not let a start make them:\n{list}\n',
    remedy: 'Run keelson plan --with {plugin}, then keelson apply --with {plugin}, then try again.',
    status: 409
  },
  KRN_CHANGE_FIELD: {
    message: 'Plugin {plugin} has no setting {path} that can be changed here.',
    remedy: 'Change it in the config file.',
    status: 422
  },
  KRN_CHANGE_SECRET: {
    message: 'The setting {path} of plugin {plugin} is secret: its value is not stored.',
    remedy:
      'Set an environment variable for the processes of the platform whose name begins with KEELSON_SECRET_, and give that name.',
    status: 422
  },
  KRN_CHANGE_CONFLICT: {
    message: 'The settings of the platform were changed at the same time.',
    remedy: 'Look at the plugins again, then repeat the change.',
    status: 409
  },
  KRN_WORKER_ENDED: {
    message: 'The new process ended ({how}) before it was ready.',
    remedy: 'Read its log lines; the process before goes on with the settings before.',
    status: 500
  }
} as const satisfies ErrorTable
