// What alerts of DMARC, its next policy and its line of the setup list say.
import { defineSentences } from '@keelson/sdk'

/** By code; pages have the same in other languages. */
export const alertSentences = {
  'alert.knownSource': '{count} messages of {label} ({source}) in the name of {domain} fail.',
  'alert.unknownSource':
    '{count} messages of the unknown source {source} in the name of {domain} fail.',
  'alert.alignment': 'Only {rate}% of the mail of {domain} passes DMARC, of {count} messages.',
  'alert.stopped': 'No DMARC report about {domain} arrived for {days} days.',
  'alert.ready': '{domain} is ready for {next}.'
} as const

/** The same for the line of the setup list. */
export const dmarcSetupSentences = {
  'dmarc.setup.records': 'DNS records need attention: {count} findings.',
  'dmarc.setup.alerts': 'Open alerts: {count}.',
  'dmarc.setup.publish': 'Publish the records that the DMARC page names, then check again.',
  'dmarc.setup.look': 'Look at the alerts on the DMARC page.',
  'dmarc.setup.none': 'No DMARC report arrived yet.',
  'dmarc.setup.ask': 'Publish a DMARC record with rua, or upload a report.',
  'dmarc.setup.last': 'The last DMARC report arrived at {at}.'
} as const

export const say = defineSentences({ ...alertSentences, ...dmarcSetupSentences })
