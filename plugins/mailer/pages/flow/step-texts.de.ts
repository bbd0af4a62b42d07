// German of the steps of flows.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'step.send': 'Mail senden',
  'step.wait': 'Warten',
  'step.waitUntil': 'Warten bis',
  'step.waitForEvent': 'Auf Ereignis warten',
  'step.condition': 'Bedingung',
  'step.branch': 'Verzweigung',
  'step.split': 'Aufteilung',
  'step.tag': 'Tag',
  'step.fire_event': 'Ereignis auslösen',
  'step.webhook': 'Webhook',
  'step.exit': 'Ausstieg',
  'arm.yes': 'Ja',
  'arm.no': 'Nein',
  'arm.happened': 'Geschehen',
  'arm.timeout': 'Nicht rechtzeitig',
  'arm.split': '{name} {share}',
  'flow.stepForm': 'Schritt',
  'flow.weekdays': 'werktags',
  'flow.contactZone': 'Zeitzone des Kontakts',
  'flow.upTo': 'bis zu {time}',
  'flow.addTags': '{tags} hinzufügen',
  'flow.removeTags': '{tags} entfernen',
  'flow.exitPlain': 'Ausstieg',
  'flow.else.exit': 'sonst Ausstieg',
  'flow.else.continue': 'sonst einen Schritt überspringen',
  'trigger.event': 'Ein Ereignis',
  'trigger.segment_enter': 'Eintritt in ein Segment',
  'trigger.cron': 'Ein Zeitplan',
  'trigger.once': 'einmal je Kontakt',
  'trigger.always': 'jedes Mal'
}
