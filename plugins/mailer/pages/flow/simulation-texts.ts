// English of simulations.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'sim.label': 'Simulation',
  'sim.as': 'Simulate',
  'sim.contact': 'Contact ID or address',
  'sim.run': 'Run',
  'sim.running': 'Simulating…',
  'sim.end': 'End simulation',
  'sim.notNow': 'Would not enter now:',
  'sim.completed': 'Completes',
  'sim.exited': 'Exits: {reason}',
  'sim.truncated': 'Too many steps: stopped',
  'sim.sum': {
    one: 'after {time}, {at}, with {count} mail. Nothing is sent.',
    other: 'after {time}, {at}, with {count} mails. Nothing is sent.'
  },
  'sim.of': '{at} of {count}',
  'sim.back': 'Previous stop',
  'sim.next': 'Next stop',
  'outcome.waited': 'Waits',
  'outcome.passed': 'Yes',
  'outcome.skipped_next': 'No, skips one step',
  'outcome.exited': 'Exits',
  'outcome.branch_true': 'Takes Yes',
  'outcome.branch_false': 'Takes No',
  'outcome.branch_taken': 'Takes',
  'outcome.send': 'Sends',
  'outcome.send_deferred': 'Mail waits',
  'outcome.tagged': 'Changes tags',
  'outcome.event_fired': 'Fires event',
  'outcome.webhook': 'Calls webhook'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerSimulationTexts(): void {
  registerCatalog('en', texts, { de: () => import('./simulation-texts.de.ts') })
}
