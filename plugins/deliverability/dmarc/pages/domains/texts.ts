// English of the DMARC page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'dmarc.title': 'DMARC',
  'dmarc.upload': 'Upload report…',
  'dmarc.uploaded': 'Report of {org} about {domain} stored: {count} messages',
  'dmarc.uploadedOther': 'Report stored',
  'dmarc.duplicate': 'This report was stored before',
  'dmarc.domain': 'Domain',
  'dmarc.domains': 'Domains',
  'dmarc.domainsNote': 'reports kept for {days} days',
  'dmarc.aligned': 'Aligned',
  'dmarc.alignedNote': 'last 14 days',
  'dmarc.messages': 'Messages',
  'dmarc.reports': 'Reports',
  'dmarc.policy': 'Policy',
  'dmarc.next': 'Next policy',
  'dmarc.noNext': 'not yet',
  'dmarc.strictest': 'strictest',
  'dmarc.failed': '{count} not aligned',
  'dmarc.latest': 'latest {date}',
  'dmarc.none': 'No DMARC reports yet',
  'dmarc.noneText':
    'Publish a DMARC record with an address for reports, then upload them here or have them sent to the inbound route. Receivers send one a day.',
  'dmarc.setup': 'Set-up of {domain}',
  'dmarc.step.record': 'Publish a DMARC record',
  'dmarc.step.recordText': 'The policy none changes nothing for your mail and starts the reports.',
  'dmarc.step.sources': 'Label the sources that send for you',
  'dmarc.step.sourcesDone': 'No unlabelled source fails',
  'dmarc.step.sourcesText': {
    one: '{count} unlabelled source fails',
    other: '{count} unlabelled sources fail'
  },
  'dmarc.step.policy': 'Move to a stricter policy',
  'dmarc.step.wait':
    'Needs 30 reports and 1,000 messages in 30 days, 99 % of them aligned, and no unlabelled source that fails.',
  'dmarc.step.done': 'The policy is reject.',
  'dmarc.copy': 'Copy the record',
  'dmarc.sources': 'Sources that fail',
  'dmarc.sourcesNote': 'who sends in your name without alignment, most mail first',
  'dmarc.source': 'Source IP',
  'dmarc.ptr': 'Reverse DNS',
  'dmarc.label': 'Label',
  'dmarc.labelOf': 'Label {ip}',
  'dmarc.unknown': 'unknown',
  'dmarc.ignored': 'ignored',
  'dmarc.lastSeen': 'Last seen',
  'dmarc.noSources': 'No source fails',
  'dmarc.noSourcesText': 'All reported mail is aligned with its From address.',
  'dmarc.ignore': 'Leave it out of alerts',
  'dmarc.save': 'Save',
  'dmarc.remove': 'Remove label',
  'dmarc.cancel': 'Cancel',
  'dmarc.labelHint': 'Who this server is, as “Newsletter service”.',
  'dmarc.saved': '{ip} is labelled',
  'dmarc.removed': 'Label of {ip} removed',
  'dmarc.alerts': 'Alerts',
  'dmarc.alertsNote': 'open ones first',
  'dmarc.evaluate': 'Check now',
  'dmarc.evaluated': { one: '{count} alert changed', other: '{count} alerts changed' },
  'dmarc.noAlerts': 'No alerts',
  'dmarc.noAlertsText':
    'Failing sources, falling alignment, missing reports and broken records appear here.',
  'dmarc.alert': 'Alert',
  'dmarc.state': 'State',
  'dmarc.open': 'open',
  'dmarc.resolved': 'resolved',
  'dmarc.since': 'Since',
  'dmarc.recent': 'Newest reports',
  'dmarc.org': 'Reporter',
  'dmarc.received': 'Received',
  'dmarc.via': 'Via',
  'dmarc.recovered': 'repaired'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
