// Every word that DMARC refuses a call with.
import { defineRefusals } from '@keelson/sdk'

/** The refusals of the DMARC plugin. */
export const refusals = defineRefusals({
  no_file: {
    status: 400,
    message: 'The form has no file in its field `file`.',
    fix: 'Send the report as a multipart form, in the field `file`.'
  },
  ingest_failed: {
    status: 400,
    message: 'The file has no report that can be read.',
    fix: 'Send a DMARC or TLS report as XML, JSON, a mail, gzip or zip.'
  },
  busy: {
    status: 503,
    message: 'Too many files wait to be read.',
    fix: 'Send it again after the seconds in Retry-After.'
  },
  not_found: {
    status: 404,
    message: 'There is no report with this key.',
    fix: 'Use the key of a report that the overview lists.'
  }
})
