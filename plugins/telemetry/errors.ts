// Every error the telemetry package raises, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  TEL_REGISTRY_INVALID: {
    message: 'The telemetry registry is wrong at {path}: {problem}.',
    remedy: 'Correct the declaration of that event.',
    status: 500
  },
  TEL_INDEX_BUDGET: {
    message: 'Indexed attrs and metrics need {wanted} indexes, which exceeds budget {budget}.',
    remedy: 'Take names out of indexedAttrs or indexedMetrics.',
    status: 500
  },
  TEL_REQUEST_SPANS: {
    message: 'requestSpans records each request as {event}, but {problem}.',
    remedy:
      'Declare {event} as a span with the attrs route, method and status, or leave it out: then it is declared for you.',
    status: 500
  },
  TEL_OPTION_INVALID: {
    message: 'createTelemetry was called with a wrong option {path}: {problem}.',
    remedy: 'Correct the option.',
    status: 500
  },
  TEL_USAGE_REJECTED: {
    message: 'Usage record {name} was refused: {reason}.',
    remedy: 'Correct the record; it was quarantined and nothing was counted.',
    status: 400
  },
  TEL_WRITE_FAILED: {
    message: 'Telemetry could not be written: {reason}.',
    remedy: 'Send it again with the same id; nothing is counted twice.',
    status: 503
  },
  TEL_OVERLOADED: {
    message: 'More telemetry is waiting to be written than may wait.',
    remedy: 'Send it again in a few seconds with the same id.',
    status: 429
  },
  TEL_CLOSED: {
    message: 'Telemetry was asked to write after it was closed.',
    remedy: 'Write before close, or make a new instance.',
    status: 503
  },
  TEL_KEY_INVALID: {
    message: 'This ingest key cannot be made: {problem}.',
    remedy: 'Correct {path}.',
    status: 400
  },
  TEL_REF_INVALID: {
    message: 'The subject ref {ref} cannot be used.',
    remedy: 'Give it as <type>:<id>.',
    status: 400
  },
  TEL_SCOPE_RESERVED: {
    message: 'The tenant * stands for the whole platform and cannot be used for {act}.',
    remedy: 'Name one tenant.',
    status: 400
  },
  TEL_SCOPE_WIDENED: {
    message:
      'A pipeline of scoped() must not have the stage {stage}: it reads or writes beyond the tenant.',
    remedy: 'Take the stage out, and join in code.',
    status: 500
  },
  TEL_FAMILY_CHANGED: {
    message:
      'The shape of rollup families has changed, and documents of the former shape are stored: {families}.',
    remedy:
      'Stop hosts of the former version and run `keelson telemetry backfill --family <name>` (on a plain app `telemetry.backfill`), which recounts a family from rows, or give it another name.',
    status: 500
  },
  TEL_BACKFILL_INVALID: {
    message: 'This backfill cannot be run: {problem}.',
    remedy: 'Name a family of the registry; from and to are for families with buckets.',
    status: 400
  },
  TEL_NEVER_STARTED: {
    message: 'The database does not hold the event names of this platform.',
    remedy: 'Start the platform once with this version, then run the command again.',
    status: 500
  },
  TEL_PEPPER_MISSING: {
    message: 'A subject cannot be erased without a pepper for its pseudonym.',
    remedy: 'Set the option pepper or the variable TELEMETRY_PEPPER.',
    status: 503
  },
  TEL_READ_UNFINISHED: {
    message: 'This read cannot be finished: {reason}.',
    remedy:
      'Narrow the range, or filter by what has an index: name, subject, trace, fingerprint, or an indexed attribute.',
    status: 422
  },
  TEL_READ_AWAY: {
    message: 'The database cannot be reached for this read.',
    remedy: 'Ask again in a few seconds.',
    status: 503
  },
  TEL_HISTORY_READ: {
    message: 'This read of sealed records cannot be finished: {reason}.',
    remedy: 'Narrow the range or add a filter.',
    status: 422
  },
  TEL_HISTORY_UNREADABLE: {
    message: '{reason}',
    remedy: 'Use the read primitives, which read sealed records too.',
    status: 422
  },
  TEL_HISTORY_ENGINE: {
    message: 'Sealed records cannot be {act} here, because @duckdb/node-api is not installed.',
    remedy: 'Install @duckdb/node-api for this platform and start the host again.',
    status: 503
  },
  TEL_EXPORT_ENGINE: {
    message: 'A Parquet file cannot be written here, because @duckdb/node-api is not installed.',
    remedy: 'Ask for csv or json, or install @duckdb/node-api for this platform.',
    status: 422
  },
  TEL_SEGMENT_MISSING: {
    message: 'Sealed records from {from} on are missing or damaged.',
    remedy: 'Restore the collection of segments from a backup of that time, and run it again.',
    status: 503
  },
  TEL_SEGMENT_WRONG: {
    message: 'A segment was not stored: {problem}.',
    remedy: 'The records are where they were; report this with the version of @duckdb/node-api.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
