// Every word that the API refuses a call with: what is wrong, and what to do.
import { defineRefusals, KeelsonError, type Refused } from '@keelson/sdk'

export const refusals = defineRefusals({
  plugin_not_found: {
    status: 404,
    message: 'The platform has no such plugin.',
    fix: 'Use an id that GET /platform/api/plugins lists.'
  },
  plugin_needed: {
    status: 409,
    message: 'Other plugins would stop without it.',
    fix: 'Disable those first.'
  },
  plugin_kept: {
    status: 409,
    message: 'Without this plugin you could not sign in or come back to this page.',
    fix: 'Run keelson disable where the config is.'
  },
  change_refused: {
    status: 409,
    message: 'The platform would not start with this change.',
    fix: 'Correct what the message names.'
  },
  database_pending: {
    status: 409,
    message: 'The plugin needs changes of the database, which a start may not make here.',
    fix: 'Run keelson plan and keelson apply with the option --with.'
  },
  setting_unknown: {
    status: 422,
    message: 'The plugin has no such setting that can be changed here.',
    fix: 'Change it in the config file.'
  },
  secret_refused: {
    status: 422,
    message: 'Values of secrets are not stored.',
    fix: 'Give the name of an environment variable that begins with KEELSON_SECRET_.'
  },
  changed_meanwhile: {
    status: 409,
    message: 'The settings were changed at the same time.',
    fix: 'Look at the plugins again, then repeat the change.'
  }
})

/** What a change may be refused with. */
export const changeRefusals = refusals.table

const WORDS: Readonly<Record<string, keyof typeof changeRefusals>> = {
  KRN_CHANGE_UNKNOWN: 'plugin_not_found',
  KRN_CHANGE_NEEDED: 'plugin_needed',
  KRN_CHANGE_KEPT: 'plugin_kept',
  KRN_CHANGE_REFUSED: 'change_refused',
  KRN_CHANGE_PENDING: 'database_pending',
  KRN_CHANGE_FIELD: 'setting_unknown',
  KRN_CHANGE_SECRET: 'secret_refused',
  KRN_CHANGE_CONFLICT: 'changed_meanwhile'
}

/** A refusal of the kernel in the words of this API; anything else is thrown on. */
export function refusalOf(error: unknown): Refused<keyof typeof changeRefusals> {
  const word = KeelsonError.is(error) ? WORDS[error.code] : undefined
  if (word === undefined || !KeelsonError.is(error)) throw error
  const { message, remedy, details } = error
  const path = typeof details['path'] === 'string' ? details['path'] : undefined
  return refusals.refuse(word, {
    message: message.slice(0, message.length - remedy.length).trim(),
    fix: remedy,
    ...(path !== undefined && { fields: [{ path, message: remedy }] })
  })
}
