// English of the Block lists page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'lists.title': 'Block lists',
  'lists.recheck': 'Check now',
  'lists.listedCount': { one: '{count} listing', other: '{count} listings' },
  'lists.checked': {
    one: '{count} check done, {listed} listed',
    other: '{count} checks done, {listed} listed'
  },
  'lists.offTitle': 'Checks are turned off',
  'lists.off':
    'Set dnsServers of block-lists to your own DNS servers, and intervalHours above 0. Public resolvers are refused by most lists.',
  'lists.checks': 'Checks',
  'lists.checkedAt': 'checked {time}',
  'lists.none': 'No checks yet',
  'lists.noneText': 'Sender domains and dedicated IP addresses are checked once a day.',
  'lists.list': 'List',
  'lists.target': 'Domain or IP',
  'lists.verdict': 'Result',
  'lists.answer': 'Answer',
  'lists.meaning': 'What it means',
  'lists.clean': 'not listed',
  'lists.listed': 'listed',
  'lists.policy': 'policy only',
  'lists.noAnswer': 'no answer',
  'lists.disabled': 'Lists that are not used',
  'lists.disabledNote': 'their self-test failed: dead, or they list everything',
  'lists.reason': 'Reason',
  'lists.changes': 'Changes',
  'lists.when': 'When',
  'lists.noChanges': 'No changes yet',
  'lists.noChangesText': 'A new listing, or the end of one, appears here.'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
