// English of the Usage page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'usage.title': 'Usage',
  'usage.figures': 'Figures',
  'usage.measure': 'Measure',
  'usage.countOf': 'records',
  'usage.family': 'Rollup',
  'usage.byLabel': '{name} by {interval}',
  'usage.caption': '{total} in this range, {before} in the period before.',
  'usage.previous': 'previous period',
  'usage.others': 'others',
  'usage.spend': 'Spend',
  'usage.records': 'Usage records',
  'usage.people': 'People',
  'usage.billedTile': 'Billed',
  'usage.billedText': 'amounts of the records themselves',
  'usage.unbilled': { one: '{count} not billed', other: '{count} not billed' },
  'usage.most': '{name} most',
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
  'usage.billed': 'Billed',
  'usage.count': 'Records',
  'usage.nameless': 'nobody named',
  'usage.note': { one: '{count} in all', other: '{count} in all' },
  'usage.top': 'the first {shown} of {count}',
  'usage.truncated': 'over the newest rows only: there are more than one read takes',
  'usage.none': 'No usage in this range',
  'usage.noneText': 'Usage is what an event of kind usage says was consumed: tokens, seats, calls.',
  'usage.widen': 'Look at {range}'
}

/** Adds the texts; cheap to call again. */
export function registerUsageTexts(): void {
  registerCatalog('en', texts)
}
