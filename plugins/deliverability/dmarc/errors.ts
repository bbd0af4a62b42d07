// The errors of the DMARC plugin, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  DMR_FORMAT: {
    message: 'The file {name} is not a report: expected XML, JSON, a mail, gzip or zip.',
    remedy: 'Upload the file as the reporter attached it.',
    status: 400
  },
  DMR_DAMAGED: {
    message: 'The file {name} is damaged: {problem}.',
    remedy: 'Download it again from the mail.',
    status: 400
  },
  DMR_TOO_LARGE: {
    message: 'The file {name} unpacks to more than {limit} MiB.',
    remedy: 'Ask the reporter for smaller reports.',
    status: 400
  },
  DMR_RATIO: {
    message: 'The file {name} unpacks to more than {ratio} times its size, as no report does.',
    remedy: 'Look at the file before you upload it again.',
    status: 400
  },
  DMR_ENTRIES: {
    message: 'The archive {name} has more than {limit} entries.',
    remedy: 'Upload the reports in smaller archives.',
    status: 400
  },
  DMR_MAIL_SIZE: {
    message: 'The mail {name} has more than {limit} {what}, as no report does.',
    remedy: 'Upload the report that is attached to it.',
    status: 400
  },
  DMR_BUSY: {
    message: 'Too many files wait to be read.',
    remedy: 'Send it again after the seconds in Retry-After.',
    status: 503
  },
  DMR_ENTRY_NAME: {
    message: 'The archive {name} has an entry with an unsafe name.',
    remedy: 'Look at the archive before you upload it again.',
    status: 400
  },
  DMR_NESTED: {
    message: 'The file {name} has archives in archives, more than {limit} deep.',
    remedy: 'Unpack it first.',
    status: 400
  },
  DMR_DOCTYPE: {
    message: 'The report has a document type declaration, which reports must not have.',
    remedy: 'Look at the file before you upload it again.',
    status: 400
  },
  DMR_REPORT: {
    message: 'The report is invalid: {problem}.',
    remedy: 'Ask its reporter for a correct one.',
    status: 400
  },
  DMR_DOMAIN: {
    message: 'The report is about {domain}, which is not one of your sender domains.',
    remedy: 'Add it to allowedDomains if reports about it should be taken.',
    status: 400
  },
  DMR_KNOWN_SOURCE: {
    message: 'The setting {path} is neither an IP address nor a range.',
    remedy: 'Write it as 192.0.2.1 or 192.0.2.0/24.',
    status: 500
  },
  DMR_DNS_SERVERS: {
    message: 'The setting dnsServers has {server}, which is not an address.',
    remedy: 'Write it as 192.0.2.1, or [2001:db8::1]:5353.',
    status: 500
  },
  DMR_CLOUDFLARE: {
    message: 'Cloudflare did not publish the record: {problem}.',
    remedy: 'Check the token, its zones and their permissions.',
    status: 502
  },
  DMR_READING: {
    message: 'The file {name} could not be read: {problem}.',
    remedy: 'Try again, or upload a smaller file.',
    status: 400
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
