// English of what happened to a mail, for the timeline of a contact and the history of a mail.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'moment.delivered': 'Delivered',
  'moment.opened': 'Opened by a person',
  'moment.clicked': 'Clicked by a person',
  'moment.openedMachine': 'Opened by a machine',
  'moment.clickedMachine': 'Clicked by a machine',
  'moment.notCounted': 'not counted: {reasons}',
  'moment.bounced': 'Bounced',
  'moment.complained': 'Complained',
  'moment.dropped': 'Dropped by the provider',
  'moment.unsubscribed': 'Unsubscribed'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerMomentTexts(): void {
  registerCatalog('en', texts, { de: () => import('./moment-texts.de.ts') })
}
