// English that the pages share: rates, kinds, resuming.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'health.rate.hardBounce': 'Hard bounces',
  'health.rate.complaint': 'Complaints',
  'health.rate.bounce': 'All bounces',
  'health.rate.failure': 'Failures',
  'health.countOf': '{count} of {of}',
  'health.kind.marketing': 'marketing',
  'health.kind.transactional': 'transactional',
  'health.status.healthy': 'Healthy',
  'health.status.degraded': 'Degraded',
  'health.status.tripped': 'Tripped',
  'health.noDomain': 'no domain',
  'health.resume': 'Resume',
  'health.resumeAsk': 'Resume marketing mail from {name}?',
  'health.resumeText':
    'Held mail goes out within a minute and paused broadcasts continue. A fresh window starts: what happened before cannot trip it again.',
  'health.resumed': 'Marketing mail from {name} is resumed',
  'health.trips': 'Trips and resumes',
  'health.trip': 'Tripped',
  'health.resumedWord': 'Resumed',
  'health.automatic': 'automatic',
  'health.title': 'Health',
  'health.buckets': 'Sender domains',
  'health.window': 'over the last {minutes} minutes; rates count from {count} mails',
  'health.domain': 'Domain',
  'health.status': 'Status',
  'health.sent': 'Sent',
  'health.when': 'When',
  'health.what': 'What',
  'health.who': 'By',
  'health.reason': 'Reason',
  'health.limit': 'limit {limit}',
  'health.none': 'No mail counted yet',
  'health.noneText': 'Rates appear here with the first mail that a worker sends.',
  'health.noTrips': 'No trips yet',
  'health.noTripsText':
    'When a rate reaches its limit, marketing mail of that domain is held and the trip is listed here.',
  'health.before': 'Before you resume {name}',
  'health.before.good': 'In order:',
  'health.before.bad': 'Still wrong:',
  'health.before.unknown': 'Not known:',
  'health.before.look': 'Look at it',
  'health.before.lookAt': 'Look at it: {text}',
  'health.before.rate': '{rate} {value}, limit {limit}',
  'health.before.ratesGood': 'Every rate is under its limit.',
  'health.before.listed': 'Listed by {lists}',
  'health.before.listsGood': 'No block list has the domain.',
  'health.before.listsUnknown': 'Block lists are not checked.',
  'health.before.gmailGood': 'Gmail reports no problem.',
  'health.before.gmailUnknown': 'Gmail has no figures about this domain.',
  'health.before.dmarcGood': 'SPF, DKIM, DMARC and the other requirements of receivers are met.',
  'health.before.dmarcUnknown': 'SPF, DKIM and DMARC were not checked.'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
