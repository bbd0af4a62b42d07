// The errors of the mailer, in one table. Answers to recipients are in the public routes.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  MLR_CONFIG_INVALID: {
    message: 'The mailer configuration is invalid: {path} {problem}.',
    remedy: 'Correct that setting.',
    status: 500
  },
  MLR_ENV_MISSING: {
    message: 'The environment variable {name} is missing.',
    remedy: 'Set it, or call Mailer.init with a configuration.',
    status: 500
  },
  MLR_INPUT_INVALID: {
    message: 'The {what} is invalid: {path} {problem}.',
    remedy: 'Correct that value.',
    status: 400
  },
  MLR_TEMPLATE_UNKNOWN: {
    message: 'There is no template "{slug}".',
    remedy: 'List the templates and take a slug from there.',
    status: 404
  },
  MLR_TEMPLATE_UNPUBLISHED: {
    message: 'The template "{slug}" has no published version.',
    remedy: 'Publish it first.',
    status: 409
  },
  MLR_CONTACT_UNKNOWN: {
    message: 'The contact adapter knows no contact "{externalId}".',
    remedy: 'Give an id that getById of the adapter finds.',
    status: 404
  },
  MLR_FLOW_UNKNOWN: {
    message: 'There is no flow "{slug}".',
    remedy: 'List the flows and take a slug from there.',
    status: 404
  },
  MLR_PROVIDER_UNKNOWN: {
    message: 'There is no provider "{name}"; configured are {names}.',
    remedy: 'Use one of these names, or configure that provider.',
    status: 400
  },
  MLR_EVENT_POLICY: {
    message: 'The event "{name}" is not registered and no dedupeKey is given.',
    remedy: 'Call registerEvent at start, or pass a dedupeKey.',
    status: 400
  },
  MLR_FILTER_UNSUPPORTED: {
    message: 'The contact adapter does not support the filter {filter}.',
    remedy: 'Implement that filter in the adapter, or take it out of the segment.',
    status: 400
  },
  MLR_NO_WORKERS: {
    message: 'startWorkers was called with the queue driver "noop", which runs no work.',
    remedy: 'Leave out queue.driver, or call drain of the test kit.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
