// German of what happened to a mail.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'moment.delivered': 'Zugestellt',
  'moment.opened': 'Von einem Menschen geöffnet',
  'moment.clicked': 'Von einem Menschen geklickt',
  'moment.openedMachine': 'Von einer Maschine geöffnet',
  'moment.clickedMachine': 'Von einer Maschine geklickt',
  'moment.notCounted': 'nicht gezählt: {reasons}',
  'moment.bounced': 'Unzustellbar',
  'moment.complained': 'Beschwert',
  'moment.dropped': 'Vom Anbieter verworfen',
  'moment.unsubscribed': 'Abgemeldet'
}
