// English of the Sends page.
import { type Messages, registerCatalog } from '@keelson/ui'
import { registerMomentTexts } from '../contact/moment-texts.ts'

/** The English texts. */
export const texts = {
  'sends.title': 'Sends',
  'sends.note': 'every mail, newest first',
  'sends.to': 'To',
  'sends.email': 'Address',
  'sends.template': 'Template',
  'sends.subject': 'Subject',
  'sends.kind': 'Kind',
  'sends.status': 'Status',
  'sends.time': 'Time',
  'sends.provider': 'Provider',
  'sends.origin': 'Sent by',
  'sends.flow': 'flow {flow}',
  'sends.broadcast': 'broadcast {broadcast}',
  'sends.program': 'program {program}',
  'sends.byHand': '{actor}, by hand',
  'sends.byCode': 'the app',
  'sends.queued': 'Queued',
  'sends.handed': 'Handed over',
  'sends.sentAt': 'Sent',
  'sends.attempt': 'Attempt',
  'sends.messageId': 'Message ID',
  'sends.error': 'Error',
  'sends.exitReason': 'Reason',
  'sends.held': 'Waits: {message}',
  'sends.history': 'History',
  'sends.noHistory': 'Nothing was reported about this mail yet.',
  'sends.otherAddress': 'Names {address}. Nothing follows for it.',
  'sends.provided': 'Reported by the provider',
  'sends.content': 'Mail',
  'sends.contentNote': 'Rendered again, as it would be today and without tracking.',
  'sends.noContent': 'The mail cannot be rendered: {problem}',
  'sends.show': 'Show mail',
  'sends.resend': 'Send again',
  'sends.resendHeading': 'Send this mail to {email} again?',
  'sends.resendText': 'A new mail from the published template. Suppressions and limits apply.',
  'sends.resent': 'The mail is queued again',
  'sends.open': 'Open it',
  'sends.unknown': 'It is unknown whether the provider has this mail',
  'sends.unknownText':
    'The connection broke during the hand-over. It is not sent again by itself, because the contact might get it twice.',
  'sends.resolve.sent': 'It was sent',
  'sends.resolve.not_sent': 'It was not sent',
  'sends.resolve.resend': 'Send it again',
  'sends.resolveHeading': 'Send it again?',
  'sends.resolveText': 'If the provider has the first mail, {email} gets it twice.',
  'sends.resolved': 'Resolved: {status}',
  'sends.journey': 'All activity',
  'sends.none': 'No mails yet',
  'sends.noneText': 'Mails of flows, broadcasts and the app appear here.',
  'sends.noneFound': 'No matching mails',
  'sends.clear': 'Show all',
  'sends.missing': 'Mail not found',
  'sends.missingText': 'Mails are deleted when their time in the log is over.',
  'sends.label': 'Mail'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerSendsTexts(): void {
  registerMomentTexts()
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
