// English of the Reputation page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'reputation.title': 'Reputation',
  'reputation.refresh': 'Read now',
  'reputation.read': 'Figures read',
  'reputation.notRead': 'Nothing was read: no account is connected.',
  'reputation.spamOf': 'Spam rate of {domain}',
  'reputation.spamLimit': 'warns at 0.1 %, holds at 0.3 %',
  'reputation.dmarc': 'DMARC passed',
  'reputation.tls': 'Encrypted (TLS)',
  'reputation.errors': 'Delivery errors',
  'reputation.gmailNote': 'Postmaster Tools, one figure a day',
  'reputation.gmailOff': 'Gmail is not connected',
  'reputation.gmailOffText':
    'Set clientId, clientSecret and refreshToken of the plugin postmaster. Gmail shows figures from about 100 mails a day.',
  'reputation.noDomains': 'No domains yet',
  'reputation.noDomainsText':
    'Verify the sender domains in Postmaster Tools with the same Google account.',
  'reputation.domain': 'Domain',
  'reputation.verdict': 'Result',
  'reputation.level.ok': 'good',
  'reputation.level.warn': 'warning',
  'reputation.level.trip': 'too high',
  'reputation.spam': 'Spam rate',
  'reputation.tier': 'Tier',
  'reputation.latest': 'Latest day',
  'reputation.message': 'Details',
  'reputation.compliance': 'Gmail requirements',
  'reputation.requirement': 'Requirement',
  'reputation.reason': 'Reason',
  'reputation.outlookNote': 'one row for each address that sent mail',
  'reputation.outlookOff': 'Outlook is not connected',
  'reputation.outlookOffText':
    'Enable the plugin snds and set its accessKey, for mail that leaves from your own IP addresses.',
  'reputation.noIps': 'No addresses yet',
  'reputation.noIpsText': 'SNDS shows addresses that sent at least 100 mails on a day.',
  'reputation.ip': 'IP address',
  'reputation.filter.GREEN': 'green',
  'reputation.filter.YELLOW': 'yellow',
  'reputation.filter.RED': 'red',
  'reputation.filter.UNKNOWN': 'unknown',
  'reputation.complaints': 'Complaints',
  'reputation.traps': 'Trap hits',
  'reputation.recipients': 'Recipients',
  'reputation.range': 'Range',
  'reputation.blocked': 'Blocked by Outlook'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
