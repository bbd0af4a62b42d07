// What the readiness checklist says.
import { defineSentences } from '@keelson/sdk'

/** By code; pages have the same in other languages. */
export const readinessSentences = {
  'ready.unchecked': 'The DNS records were not checked yet.',
  'ready.check': 'Check the DNS records.',
  'ready.publish': 'Publish the record at your DNS host.',
  'spf.found': 'Found, {lookups} of 10 look-ups.',
  'spf.publish': 'Publish the record, with the include of your mail provider in it.',
  'spf.correct': 'Correct the SPF record at your DNS host.',
  'dkim.signUp':
    'Authenticate the domain at your mail provider and publish the DKIM records that it shows; for SendGrid run npx keelson mailer setup-sendgrid.',
  'dkim.list': 'Then list them in dkimSelectors.',
  'dkim.noSelector': 'No DKIM selector is known: none is set, and no report names one.',
  'dkim.selector': 'Selector {selector}.',
  'dkim.selectorBits': 'Selector {selector}, {bits} bits.',
  'dkim.longer': 'Use a DKIM key of 2048 bits.',
  'dmarc.foundAt': 'Found at _dmarc.{at}.',
  'dmarc.correct': 'Correct the DMARC record at your DNS host.',
  'tlsRpt.found': 'A TLS-RPT record is there.',
  'tlsRpt.none': 'No TLS-RPT record found.',
  'tlsRpt.wrong': 'The TLS-RPT record is invalid.',
  'aligned.few': 'Too few DMARC reports to say whether mail aligns with the From address.',
  'aligned.publish': 'Publish a DMARC record with rua.',
  'aligned.rate': '{rate}% of the reported mail aligns with the From address.',
  'aligned.label':
    'Label the failing sources on the DMARC page; sign their mail with DKIM of this domain.',
  'tls.unknown': 'No receiver says whether this mail is encrypted on the way.',
  'tls.rate': '{rate}% of the mail to {receiver} is encrypted on the way.',
  'tls.turnOn': 'Turn on TLS (STARTTLS) for outgoing mail in the mail server or at the provider.',
  'ready.connectGmail': 'Connect Gmail Postmaster Tools.',
  'oneClick.added':
    'The mailer adds List-Unsubscribe and List-Unsubscribe-Post to all marketing mail.',
  'oneClick.met': '{receiver} finds both headers and can use them.',
  'oneClick.failed': '{receiver} does not find working one-click unsubscribe in this mail.',
  'oneClick.mend':
    'Set publicUrl of the mailer to an https address that receivers reach, and have DKIM sign both List-Unsubscribe headers.',
  'reverse.unchecked': 'Reverse DNS of the sending addresses was not checked yet.',
  'reverse.noAddress': 'No sending address is known. A mail service sets up reverse DNS itself.',
  'reverse.list': 'With your own servers, list their addresses in dedicatedIps of block-lists.',
  'reverse.found': '{ip} is {name}, and back.',
  'reverse.foundMore': '{ip} is {name}, and back; so are {more} more addresses.',
  'reverse.missing': '{ip} has no reverse DNS name.',
  'reverse.ask':
    'Ask the owner of {ip} (your host) for a PTR record with a name whose A record is {ip}.',
  'reverse.wrong': 'The reverse DNS name {name} of {ip} does not lead back to it.',
  'reverse.publish': 'Publish an A or AAAA record {name}: {ip}.',
  'spam.unknown': 'No receiver says how much of this mail is reported as spam.',
  'spam.rate': '{rate}% at {receiver} on {date}; it must stay under {limit}%.',
  'spam.active':
    'Mail only people who were active in the last 90 days until the rate is under 0.1%.',
  'complaints.few': 'Complaint rates count from {least} mails on.',
  'complaints.rate': '{rate}% of {sent} mails led to a complaint; the limit is {limit}%.',
  'complaints.find': 'Find the broadcast or flow with most complaints, and mail its audience less.'
} as const

/** The same for the line of the setup list. */
export const readinessSetupSentences = {
  'ready.open': '{count} requirements of Gmail, Yahoo and Outlook need work.',
  'ready.openOne': 'One requirement of Gmail, Yahoo and Outlook needs work.',
  'ready.openHint':
    'Open Can I send: each requirement has its next step, or the record to publish.',
  'ready.met': 'No requirement of Gmail, Yahoo and Outlook needs work.',
  'ready.unknown': 'Nothing is known yet that breaks a requirement of Gmail, Yahoo and Outlook.'
} as const

export const say = defineSentences({ ...readinessSentences, ...readinessSetupSentences })
