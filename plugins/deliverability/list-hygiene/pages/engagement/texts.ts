// English of the List hygiene page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'hygiene.title': 'List hygiene',
  'hygiene.refresh': 'Compute again',
  'hygiene.computed': 'computed {time}',
  'hygiene.pending': 'The report is being computed',
  'hygiene.pendingText': 'It reads all subscribers once. Come back in a minute.',
  'hygiene.subscribers': 'Subscribers',
  'hygiene.mailed': 'Mailed',
  'hygiene.mailedNote': 'got at least one mail',
  'hygiene.sunset': 'To stop mailing',
  'hygiene.sunsetNote': '{share} of all',
  'hygiene.buckets': 'Last open or click',
  'hygiene.bucketsNote': 'by people, not by machines',
  'hygiene.bucket': 'When',
  'hygiene.count': 'Subscribers',
  'hygiene.share': 'Share',
  'hygiene.never': 'Never',
  'hygiene.last': 'Last {days} days',
  'hygiene.between': '{from}–{to} days ago',
  'hygiene.over': 'Over {days} days ago',
  'hygiene.impact': 'If you stop mailing them',
  'hygiene.impactNote': 'rates of the last 90 days, with and without',
  'hygiene.rate': 'Rate',
  'hygiene.now': 'Now',
  'hygiene.later': 'Without them',
  'hygiene.bounces': 'Bounces',
  'hygiene.complaints': 'Complaints',
  'hygiene.noImpact': 'No mail in the last 90 days',
  'hygiene.noImpactText': 'The comparison appears once mail was sent.'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
