// German of simulations.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'sim.label': 'Simulation',
  'sim.as': 'Simulieren',
  'sim.contact': 'ID oder Adresse des Kontakts',
  'sim.run': 'Starten',
  'sim.running': 'Wird simuliert…',
  'sim.end': 'Simulation beenden',
  'sim.notNow': 'Würde jetzt nicht eintreten:',
  'sim.completed': 'Wird abgeschlossen',
  'sim.exited': 'Steigt aus: {reason}',
  'sim.truncated': 'Zu viele Schritte: gestoppt',
  'sim.sum': {
    one: 'nach {time}, {at}, mit {count} Mail. Nichts wird gesendet.',
    other: 'nach {time}, {at}, mit {count} Mails. Nichts wird gesendet.'
  },
  'sim.of': '{at} von {count}',
  'sim.back': 'Vorheriger Halt',
  'sim.next': 'Nächster Halt',
  'outcome.waited': 'Wartet',
  'outcome.passed': 'Ja',
  'outcome.skipped_next': 'Nein, überspringt einen Schritt',
  'outcome.exited': 'Steigt aus',
  'outcome.branch_true': 'Nimmt Ja',
  'outcome.branch_false': 'Nimmt Nein',
  'outcome.branch_taken': 'Nimmt',
  'outcome.send': 'Sendet',
  'outcome.send_deferred': 'Mail wartet',
  'outcome.tagged': 'Ändert Tags',
  'outcome.event_fired': 'Löst Ereignis aus',
  'outcome.webhook': 'Ruft Webhook auf'
}
