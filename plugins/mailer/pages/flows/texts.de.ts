// German of the Flows page.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'flows.title': 'Flows',
  'flows.new': 'Neuer Flow',
  'flows.name': 'Name',
  'flows.state': 'Zustand',
  'flows.trigger': 'Ausgelöst durch',
  'flows.steps': 'Schritte',
  'flows.volume': 'Erwartet pro Woche',
  'flows.updated': 'Geändert',
  'flows.all': 'Alle Zustände',
  'flow.state.live': 'Aktiv v{version}',
  'flow.state.paused': 'Angehalten v{version}',
  'flow.state.new': 'Nicht veröffentlicht',
  'flow.filter.live': 'Aktiv',
  'flow.filter.paused': 'Angehalten',
  'flow.filter.new': 'Nicht veröffentlicht',
  'flow.draft': 'Entwurf',
  'flows.none': 'Noch keine Flows',
  'flows.noneText':
    'Ein Flow sendet Kontakten, die ihn auslösen, nach und nach Mails, zum Beispiel nach der Anmeldung.',
  'flows.noneLeft': 'Keine Flows in diesem Zustand',
  'flows.clear': 'Alle zeigen'
}
