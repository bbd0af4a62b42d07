// What the mailer's own lines of the setup list say.
import { defineSentences, hintOf, type Sentence } from '@keelson/sdk'
import type { SetupResult } from '../../contracts/mailer-setup-check.ts'

/** By code; the dashboard has the same in other languages. */
export const setupSentences = {
  'setup.database': 'The database answers.',
  'setup.onTime': 'Urgent mail leaves on time.',
  'setup.late': 'Urgent mail has been due since {since}.',
  'setup.lateHint': 'Look whether workers run, and at the provider of that mail.',
  'setup.providers': 'The providers take mail.',
  'setup.providersDown': 'Mail waits, because a provider takes none: {names}.',
  'setup.providersHint':
    'It leaves by itself when the provider answers. Check credentials, limits and network.',
  'setup.known': 'It is known of each mail whether it left.',
  'setup.unknownOne': 'It is unknown whether 1 mail left: the answer of the provider was lost.',
  'setup.unknown': 'It is unknown whether {count} mails left: the answer of the provider was lost.',
  'setup.unknownMany':
    'It is unknown whether {count} or more mails left: the answer of the provider was lost.',
  'setup.unknownHint':
    'Look them up at the provider, then resolve them. They are not sent again by themselves.',
  'setup.notPaused': 'Marketing mail is not paused.',
  'setup.paused': '{by} paused all marketing mail at {at}: {reason}',
  'setup.pausedHint': 'Resume it when the reason is gone.',
  'setup.startWorker': 'Start a process in the role worker or all.',
  'setup.noWorker': 'No worker has run yet.',
  'setup.workerGone': 'No worker has run since {since}.',
  'setup.tickFails': 'Parts of the tick failed {count} times in a row: {reason}.',
  'setup.tickHint': 'The log of the worker says why.',
  'setup.worker': 'A worker ran at {at}.',
  'setup.tasksFail': '{count} of {all} tasks fail.',
  'setup.noTasks': 'No plugin has a task.',
  'setup.tasks': 'All {count} tasks run.',
  'setup.noSender': 'There is no default sender: every template needs its own From address.',
  'setup.noSenderHint': 'Set fromDefaults in the config of the mailer.',
  'setup.marketingSender': '{email} may send marketing mail.',
  'setup.transactionalSender': '{email} may send transactional mail.',
  'setup.senderHint': 'Add the domain to senderDomains with that kind, or change the sender.',
  'setup.senderWrong': 'The sender {email} must not send this mail: {fault}.',
  'setup.sameSender': 'Transactional mail is sent by the sender of marketing mail.',
  'setup.ownSender': 'Transactional mail has its own sender.',
  'setup.noFallback': 'There is no default sender to fall back to.',
  'setup.address': 'A postal address is set.',
  'setup.noAddress': 'There is no postal address, which many countries require in marketing mail.',
  'setup.noAddressHint': 'Set senderAddress, and show it in templates.',
  'setup.templates': '{count} published templates may be sent.',
  'setup.templatesWrong': '{count} of {all} published templates do not fit the settings.',
  'setup.doiOff': 'Double opt-in is off.',
  'setup.doi': 'The template {template} is published.',
  'setup.doiMissing':
    'The template {template} is not published, so no subscription can be confirmed.',
  'setup.doiHint':
    'Publish a transactional template with that slug and a link to vars.confirmDoiUrl.',
  'setup.events': 'Every event that a flow waits for has been sent before.',
  'setup.eventSilent': '1 event of flows that are on was never sent.',
  'setup.eventsSilent': '{count} events of flows that are on were never sent.',
  'setup.failed': 'The check failed: {error}'
} as const

export const say = defineSentences(setupSentences)

/** A line that asks for nothing. */
export const fine = (sentence: Sentence): SetupResult => ({ severity: 'ok', ...sentence })

/** A line that asks for something, with what to do. */
export const line = (
  severity: 'warn' | 'error',
  sentence: Sentence,
  hint?: Sentence
): SetupResult => ({ severity, ...sentence, ...(hint && hintOf(hint)) })
