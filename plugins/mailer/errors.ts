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
  MLR_PACKAGE_MISSING: {
    message: 'The mailer configuration has {path}, and the package {package} is not installed.',
    remedy: 'Install it: npm install {package}. Or leave out {path}.',
    status: 500
  },
  MLR_NAME_TAKEN: {
    message:
      'The {kind} "{name}" is contributed by the plugin {plugin}, and {other} has that name already.',
    remedy: 'Rename one of them, or switch one of the plugins off.',
    status: 500
  },
  MLR_OPERATION_UNKNOWN: {
    message: 'The mailer has no operation {id}.',
    remedy: 'Use an id of its plugin.json.',
    status: 500
  },
  MLR_ACTOR_FORBIDDEN: {
    message: '{actor} may not change or send mail.',
    remedy: 'Have an administrator do it, of a tenant in adminTenants in the config of the mailer.',
    status: 403
  },
  MLR_ACTOR_MISSING: {
    message: '{act} of mailer.core/v1 needs to know who acts.',
    remedy:
      'Call host.use(mailerCore).as(actor).{act}(…); for a plugin itself with systemActor(id, what).',
    status: 500
  },
  MLR_NO_WORKERS: {
    message: 'startWorkers cannot run with the queue driver "noop", which runs no work.',
    remedy: 'Leave out queue.driver, or use the drain of the test kit.',
    status: 500
  },
  MLR_TEST_MAIL: {
    message: 'The test mail of the template "{slug}" could not be sent: {problem}',
    remedy: 'Preview the template, and check its provider.',
    status: 502
  },
  MLR_VARIABLES: {
    message: '{problem}',
    remedy: 'Look at resolve of varsAdapter.',
    status: 502
  },
  MLR_INPUT_INVALID: {
    message: 'The input of {operation} is invalid: {path} {problem}.',
    remedy: 'Correct that value.',
    status: 400
  },
  MLR_TEMPLATE_UNPUBLISHED: {
    message: 'The template "{slug}" has no published version.',
    remedy: 'Create it, or publish its draft.',
    status: 409
  },
  MLR_TEMPLATE_MALFORMED: {
    message: 'The draft of the template "{slug}" cannot be compiled: {problem}.',
    remedy: 'Correct the draft.',
    status: 422
  },
  MLR_CONTACT_UNKNOWN: {
    message: 'The contact adapter does not have the contact "{externalId}".',
    remedy: 'Pass an id that getById of the adapter finds.',
    status: 404
  },
  MLR_PROVIDER_UNKNOWN: {
    message: 'The provider "{name}" is not configured; configured are {names}.',
    remedy: 'Use one of these names, or configure that provider.',
    status: 400
  },
  MLR_FILTER_UNSUPPORTED: {
    message: 'The contact adapter does not support the filter {filter}: {problem}.',
    remedy: 'Use another filter, or configure the adapter for this one.',
    status: 400
  },
  MLR_PROVIDER_INVALID: {
    message: 'The mail provider {provider} cannot be made: {path} {problem}.',
    remedy: 'Correct that option.',
    status: 500
  },
  MLR_LOOK_UP_FAILED: {
    message: 'The mail provider {provider} could not be asked about a mail: {reason}.',
    remedy: 'It is asked again; when it keeps failing, check the provider and its options.',
    status: 502
  },
  MLR_MAIL_NOT_TAKEN: {
    message: 'The mail provider {provider} did not take the mail: "{reason}".',
    remedy: 'When it keeps failing, check the provider and its options.',
    status: 502
  },
  MLR_EVENT_UNREGISTERED: {
    message: 'The event {name} is not registered and was fired without a dedupe key.',
    remedy: 'Register it with registerEvent at start, or pass a key.',
    status: 400
  },
  MLR_SEGMENT_INVALID: {
    message: '{problem}',
    remedy: 'Correct the definition of the segment.',
    status: 400
  },
  MLR_SENDGRID_SETUP: {
    message: 'SendGrid could not be set up: {problem}.',
    remedy: 'Check the key and its permissions, then run the command again.',
    status: 502
  },
  MLR_FLOW_UNKNOWN: {
    message: 'There is no flow {slug}.',
    remedy: 'Pass the slug of a flow that exists.',
    status: 404
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
