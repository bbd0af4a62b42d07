// English of the Audit page of the mailer.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'mailAudit.title': 'Audit log',
  'mailAudit.note': 'every change, with its author',
  'mailAudit.time': 'Time',
  'mailAudit.action': 'Action',
  'mailAudit.actor': 'Actor',
  'mailAudit.resource': 'Changed',
  'mailAudit.ip': 'IP address',
  'mailAudit.agent': 'Browser',
  'mailAudit.request': 'Request',
  'mailAudit.changes': 'Changes',
  'mailAudit.noChanges': 'This entry has no values before or after.',
  'mailAudit.erased': 'A contact was erased from this entry on {time}.',
  'mailAudit.filter': 'Show only these',
  'mailAudit.none': 'No entries yet',
  'mailAudit.noneText': 'Changes of templates, flows, broadcasts and contacts appear here.',
  'mailAudit.noneFound': 'No matching entries',
  'mailAudit.clear': 'Show all',
  'mailAudit.missing': 'This entry is not in the list',
  'mailAudit.label': 'Entry',
  'diff.added': 'Added: ',
  'diff.removed': 'Removed: ',
  'flow.noChanges': 'No values changed.',
  'flow.changes': 'Changes'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerAuditTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
