// English of records, of filters and of why nothing matches them.
import { type Messages, registerCatalog } from '@keelson/ui'
import { namedTexts } from '../named-texts.ts'

const texts: Messages = {
  ...namedTexts(
    'fact.',
    'name subject kind service release severity tenant actor handled fingerprint key from to meter quantity unit amount currency billable reverses'
  ),
  ...namedTexts('record.', 'Error State Usage Metrics Trace Origin Body Stack'),
  'record.label': 'Record {name} {id}',
  'record.subjects': 'Subject',
  'record.attrs': 'Attributes',
  'record.raw': 'Raw JSON',
  'record.copyId': 'Copy ID',
  'record.clipped': 'A long value was clipped.',
  'record.redacted': 'Its subject was erased.',
  'record.missing': 'Record not found',
  'record.missingText': 'It may have been deleted, or the link is incomplete.',
  'record.filterBy': 'Show only {value}',
  'record.filterOr': 'Show only {value}; Shift-click to exclude it',
  'record.journey': 'journey',
  'record.exclude': 'Exclude {value}',
  'fact.env': 'environment',
  'fact.origin': 'sent by',
  'fact.tenantId': 'tenant',
  'fact.receivedAt': 'received',
  'fact.sampleRate': 'sample rate',
  'fact.onBehalfOf': 'on behalf of',
  'fact.traceId': 'trace',
  'fact.spanId': 'span',
  'fact.parentId': 'parent span',
  'fact.durationMs': 'duration',
  'fact.errorType': 'type',
  'fact.errorMessage': 'message',
  'fact.idempotencyKey': 'idempotency key',
  'fact.billedTo': 'billed to',
  'fact.priceVersion': 'price version',
  'empty.none': 'No records in this range',
  'empty.noneText': 'Records appear here a second after they are sent.',
  'empty.filtered': 'No matches in this range',
  'empty.filteredText': 'Choose a longer range, or remove a filter.',
  'empty.unknown': 'Unknown event {name}',
  'empty.unknownText': 'It is not in the registry.',
  'empty.kind': '{name} is never recorded as {asked}',
  'empty.kindText': 'Its kind in the registry is {kind}.',
  'empty.attr': '{name} has no attribute {key}',
  'empty.attrText': 'The registry does not declare it.',
  'empty.remove': 'Remove {value}',
  'empty.clear': 'Remove all filters'
}

/** Adds the texts; cheap to call again. */
export function registerRecordTexts(): void {
  registerCatalog('en', texts)
}
