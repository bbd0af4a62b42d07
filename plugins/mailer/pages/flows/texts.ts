// English of the Flows page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'flows.title': 'Flows',
  'flows.new': 'New flow',
  'flows.name': 'Name',
  'flows.state': 'State',
  'flows.trigger': 'Started by',
  'flows.steps': 'Steps',
  'flows.volume': 'Expected per week',
  'flows.updated': 'Updated',
  'flows.all': 'All states',
  'flow.state.live': 'Live v{version}',
  'flow.state.paused': 'Paused v{version}',
  'flow.state.new': 'Not published',
  'flow.filter.live': 'Live',
  'flow.filter.paused': 'Paused',
  'flow.filter.new': 'Not published',
  'flow.draft': 'Draft',
  'flows.none': 'No flows yet',
  'flows.noneText':
    'A flow sends mails over time to contacts who trigger it, for example after sign-up.',
  'flows.noneLeft': 'No flows in this state',
  'flows.clear': 'Show all'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerFlowsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
