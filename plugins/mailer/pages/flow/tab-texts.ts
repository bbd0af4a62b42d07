// English of runs and versions.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'flow.liveTag': 'Live',
  'flow.version': 'Version {version}',
  'flow.versions': 'Versions',
  'flow.versionsFailed': 'The versions could not be loaded.',
  'flow.rollback': 'Publish v{version} again',
  'flow.rollbackHeading': 'Publish version {version} again?',
  'flow.rollbackText':
    'Its steps become the newest version. Runs in progress keep the version they entered.',
  'run.contact': 'Contact',
  'run.status': 'Status',
  'run.step': 'Step',
  'run.entered': 'Entered',
  'run.next': 'Next action',
  'run.waitingFor': 'Waiting for',
  'run.reason': 'Exit reason',
  'run.history': 'History',
  'run.all': 'All statuses',
  'run.path': 'Step {path} of version {version}',
  'run.atStep': 'At {step}',
  'run.label': 'Run',
  'run.none': 'No runs',
  'run.noneText': 'A run starts when a contact triggers the published flow.',
  'run.missing': 'This run is not in the list',
  'run.until': 'until {time}',
  'run.yes': 'yes',
  'run.no': 'no',
  'run.stop': 'Stop run',
  'run.stopHeading': 'Stop the run of {contact}?',
  'run.stopText': 'The run ends, and its mails that have not left are cancelled.',
  'run.skip': 'Skip step',
  'run.done.stop': 'Run stopped',
  'run.done.skip': 'Step skipped',
  'action.entered': 'Entered',
  'action.wait_started': 'Started to wait',
  'action.wait_completed': 'Wait ended',
  'action.condition_evaluated': 'Condition checked',
  'action.branch_taken': 'Took a branch',
  'action.sent': 'Mail queued',
  'action.send_skipped': 'Mail skipped',
  'action.send_deferred': 'Mail waits for its window',
  'action.tagged': 'Tags changed',
  'action.event_fired': 'Event fired',
  'action.webhook_called': 'Webhook called',
  'action.exited': 'Exited',
  'action.failed': 'Failed'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerTabTexts(): void {
  registerCatalog('en', texts, { de: () => import('./tab-texts.de.ts') })
}
