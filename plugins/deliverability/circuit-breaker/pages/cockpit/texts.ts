// English of the Deliverability page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'cockpit.title': 'Deliverability',
  'cockpit.question': 'Can I send now?',
  'cockpit.window': 'by sender domain and kind, over the last {minutes} minutes',
  'cockpit.tripped': { one: '{count} tripped', other: '{count} tripped' },
  'cockpit.answer.no': 'No',
  'cockpit.answer.care': 'Yes, with care',
  'cockpit.answer.yes': 'Yes',
  'cockpit.plain': '{text}',
  'cockpit.next': 'Next:',
  'cockpit.degraded': 'Many mails could not be handed over to the provider.',
  'cockpit.listed': '{list} lists this domain as a source of spam.',
  'cockpit.good': 'Every rate is under its limit, over {count} mails.',
  'cockpit.quiet': 'No mail was sent in this window, and nothing is known against the domain.',
  'cockpit.nextTripped': 'find where the bad addresses came from, leave them out, then resume.',
  'cockpit.nextDegraded':
    'look at the errors of failed mails: the provider refuses them or is down.',
  'cockpit.nextWarning': 'check where these addresses came from before you send more.',
  'cockpit.nextListed': 'remove the cause, then ask the list to remove the domain.',
  'cockpit.nextSpam': 'mail only people who were active in the last 90 days.',
  'cockpit.nextReady': 'see the checklist below.',
  'cockpit.nextNothing': 'nothing to do.',
  'cockpit.neverHeld': 'transactional mail is never held, even while marketing is.',
  'cockpit.review': 'Review',
  'cockpit.reviewOf': 'Review {name}',
  'cockpit.ready': 'Sender readiness',
  'cockpit.readyNote': '{met} of {all} met · Gmail, Yahoo, Outlook',
  'cockpit.state.met': 'met',
  'cockpit.state.warn': 'needs work',
  'cockpit.state.failed': 'not met',
  'cockpit.state.unknown': 'unknown',
  'cockpit.recommended': 'recommended',
  'cockpit.byAll': 'required by all',
  'cockpit.checkDns': 'Check DNS',
  'cockpit.dnsOff': 'DNS checks are turned off: set dnsServers of the DMARC plugin.',
  'cockpit.dnsDone': 'DNS records checked',
  'cockpit.noReadiness': 'No checklist',
  'cockpit.noReadinessText':
    'Enable the DMARC plugin to check what Gmail, Yahoo and Outlook require.',
  'cockpit.noDomainText': 'This mail has no From domain in the sender domains of the mailer.',
  'cockpit.name': 'Name',
  'cockpit.type': 'Type',
  'cockpit.value': 'Value',
  'cockpit.copy': 'Copy {what}',
  'cockpit.incidents': 'Recent incidents',
  'cockpit.noIncidents': 'No incidents yet',
  'cockpit.noIncidentsText': 'Trips and resumes appear here.',
  'cockpit.empty': 'No sender domain yet',
  'cockpit.emptyText': 'Add the domains that you send from to senderDomains of the mailer.',
  'cockpit.more': 'All rates and trips'
}

/** Adds the texts; cheap to call again. */
export function registerCockpitTexts(): void {
  registerCatalog('en', texts)
}
