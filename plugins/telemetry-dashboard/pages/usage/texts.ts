// English of the Usage page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'usage.tenants': 'By tenant',
  'usage.title': 'Usage',
  'usage.figures': 'Figures',
  'usage.measure': 'Measure',
  'usage.countOf': 'records',
  'usage.family': 'Rollup',
  'usage.byLabel': '{name} by {interval}',
  'usage.caption': '{total} in this range, {before} in the previous period.',
  'usage.previous': 'previous period',
  'usage.others': 'others',
  'usage.spend': 'Spend',
  'usage.records': 'Usage records',
  'usage.people': 'People',
  'usage.billedTile': 'Billed',
  'usage.billedText': 'Amount billed',
  'usage.unbilled': { one: '{count} not billed', other: '{count} not billed' },
  'usage.most': 'Top: {name}',
  'usage.meters': 'By meter',
  'usage.persons': 'By person',
  'usage.payers': 'By payer',
  'usage.attr': 'By {name}',
  'usage.meter': 'Meter',
  'usage.person': 'Person',
  'usage.payer': 'Billed to',
  'usage.showPayers': 'Show who is billed',
  'usage.showPersons': 'Show who used it',
  'usage.share': 'Share',
  'usage.quantity': 'Quantity',
  'usage.anyAttr': 'attribute',
  'usage.billed': 'Billed',
  'usage.count': 'Records',
  'usage.nameless': 'Unattributed',
  'usage.note': { one: '{count}', other: '{count}' },
  'usage.top': 'first {shown} of {count}',
  'usage.truncated': 'based on the newest records only: the limit of one read was reached',
  'usage.none': 'No usage in this range',
  'usage.noneText': 'Events of kind usage record what was consumed: tokens, seats, calls.'
}

/** Adds the texts; cheap to call again. */
export function registerUsageTexts(): void {
  registerCatalog('en', texts)
}
