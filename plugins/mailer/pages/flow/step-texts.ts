// English of steps on cards: their types, their arms, what starts a flow.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'step.send': 'Send mail',
  'step.wait': 'Wait',
  'step.waitUntil': 'Wait until',
  'step.waitForEvent': 'Wait for event',
  'step.condition': 'Condition',
  'step.branch': 'Branch',
  'step.split': 'Split',
  'step.tag': 'Tag',
  'step.fire_event': 'Fire event',
  'step.webhook': 'Webhook',
  'step.exit': 'Exit',
  'arm.yes': 'Yes',
  'arm.no': 'No',
  'arm.happened': 'Happened',
  'arm.timeout': 'Not in time',
  'arm.split': '{name} {share}',
  'flow.stepForm': 'Step',
  'flow.weekdays': 'weekdays',
  'flow.contactZone': 'contact’s time zone',
  'flow.upTo': 'up to {time}',
  'flow.addTags': 'Add {tags}',
  'flow.removeTags': 'Remove {tags}',
  'flow.exitPlain': 'Exit',
  'flow.else.exit': 'else exit',
  'flow.else.continue': 'else skip one step',
  'trigger.event': 'An event',
  'trigger.segment_enter': 'Entering a segment',
  'trigger.cron': 'A schedule',
  'trigger.once': 'once per contact',
  'trigger.always': 'every time'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerStepTexts(): void {
  registerCatalog('en', texts, { de: () => import('./step-texts.de.ts') })
}
