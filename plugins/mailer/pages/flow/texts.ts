// English of the Flow page as it is drawn first.
import { type Messages, registerCatalog } from '@keelson/ui'
import { registerPredicateTexts } from './predicate-texts.ts'
import { registerStepTexts } from './step-texts.ts'

/** The English texts. */
export const texts = {
  'flows.title': 'Flows',
  'flow.state.live': 'Live v{version}',
  'flow.state.paused': 'Paused v{version}',
  'flow.state.new': 'Not published',
  'flow.draft': 'Draft',
  'flow.save.saved': 'Saved',
  'flow.save.waiting': 'Not saved yet',
  'flow.save.saving': 'Saving…',
  'flow.save.failed': 'Could not be saved',
  'flow.save.conflict': 'Not saved: changed by another editor',
  'flow.more': 'More',
  'flow.settings': 'Name and trigger',
  'flow.held': 'Mails held',
  'flow.pause': 'Pause',
  'flow.resume': 'Resume',
  'flow.done.pause': 'Paused. No new runs start; runs in progress continue.',
  'flow.done.resume': 'Resumed. New runs start from now on.',
  'flow.duplicate': 'Duplicate',
  'flow.copyOf': 'Copy of {name}',
  'flow.delete': 'Delete flow',
  'flow.deleteHeading': 'Delete {name}?',
  'flow.deleteText':
    'The flow and its versions are deleted. A flow that has runs cannot be deleted: pause it instead.',
  'flow.simulate': 'Simulate',
  'flow.publish': 'Publish v{version}',
  'flow.published': 'Version {version} is published',
  'flow.undo': 'Undo',
  'flow.redo': 'Redo',
  'flow.missing': 'Flow not found',
  'flow.gone': 'It may have been deleted.',
  'flow.toList': 'Back to flows',
  'flow.figures': 'Runs of all versions',
  'flow.entered': 'Entered',
  'flow.views': 'Views',
  'flow.tab.steps': 'Steps',
  'flow.tab.runs': 'Runs',
  'flow.tab.versions': 'Versions',
  'flow.canvas': 'Steps',
  'flow.end': 'End',
  'flow.addStep': 'Add step',
  'flow.addHere': 'Add a step before step {path}',
  'flow.lastHere': 'Add a step at {path}',
  'flow.removed': 'Step removed',
  'flow.enteredHere': '{count} entered',
  'flow.zoom': 'Zoom',
  'flow.zoomIn': 'Zoom in',
  'flow.zoomOut': 'Zoom out',
  'flow.here': '{count} waiting',
  'flow.completedHere': '{count} completed',
  'flow.exitedHere': '{count} exited',
  'flow.failedHere': '{count} failed',
  'flow.noneHere': 'no runs here',
  'flow.key.add': 'Add a step after the selected one',
  'flow.key.undo': 'Undo',
  'flow.key.redo': 'Redo',
  'flow.keys.move': '↑ ↓ ← →',
  'flow.does.move': 'move',
  'flow.keys.edit': 'Enter',
  'flow.does.edit': 'edit',
  'flow.keys.add': 'A',
  'flow.does.add': 'add after',
  'flow.keys.reorder': 'Alt ↑ ↓',
  'flow.does.reorder': 'reorder',
  'flow.keys.remove': 'Del',
  'flow.does.remove': 'remove',
  'flow.keys.undo': 'Ctrl Z',
  'flow.does.undo': 'undo',
  'run.active': 'In progress',
  'run.completed': 'Completed',
  'run.exited': 'Exited',
  'run.failed': 'Failed'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerFlowTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
  registerStepTexts()
  registerPredicateTexts()
}
