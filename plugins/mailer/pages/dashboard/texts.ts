// English of the Dashboard page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'dashboard.title': 'Mail',
  'dashboard.figures': 'Last 24 hours',
  'dashboard.sends': 'Sent',
  'dashboard.delivered': 'Delivered',
  'dashboard.opened': 'Opened by people',
  'dashboard.clicked': 'Clicked',
  'dashboard.lastDay': 'last 24 h',
  'dashboard.against': 'vs {value} the day before',
  'dashboard.points': '{value} points',
  'dashboard.bounced': '{value} bounced',
  'dashboard.noReport': 'none reported yet',
  'dashboard.noMail': 'no mail in 24 h',
  'dashboard.queue': 'Queue',
  'dashboard.inFlight': 'Due now',
  'dashboard.delayed': 'Scheduled for later',
  'dashboard.provider': 'Provider',
  'dashboard.providerOk': 'accepting mail',
  'dashboard.providerFailing': 'the last mail failed',
  'dashboard.providerDown': 'takes no mail',
  'dashboard.waiting': 'Waiting for the provider',
  'dashboard.health': 'Sending health',
  'dashboard.health.none': 'not measured yet',
  'dashboard.health.healthy': 'healthy',
  'dashboard.health.degraded': 'degraded',
  'dashboard.health.tripped': 'stopped',
  'dashboard.setup': 'Setup',
  'dashboard.setup.ok': 'all checks passed',
  'dashboard.setup.open': { one: '{count} to do', other: '{count} to do' },
  'dashboard.check.ok': 'Passed',
  'dashboard.check.warn': 'Warning',
  'dashboard.check.error': 'Error',
  'dashboard.setup.passed': { one: '{count} check passed', other: '{count} checks passed' },
  'dashboard.recentSends': 'Latest mails',
  'dashboard.noSends':
    'No mail was sent yet. Publish a template, then send a broadcast or start a flow.',
  'dashboard.allSends': 'All mails',
  'dashboard.flows': 'Running flows',
  'dashboard.noFlows': 'No flow is running.',
  'dashboard.allFlows': 'All flows',
  'dashboard.version': 'v{version}',
  'dashboard.changes': 'Latest changes',
  'dashboard.noChanges': 'No changes yet.',
  'dashboard.allChanges': 'Audit log',
  'dashboard.paused': 'All marketing mail is paused.',
  'dashboard.pausedBy': 'By {by}: {reason}',
  'dashboard.pauseSettings': 'Settings'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerDashboardTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
