// English of the Journey page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'journey.title': 'Journey',
  'journey.back': 'All journeys',
  'journey.copy': 'Copy the ref',
  'journey.records': 'Records in this range',
  'journey.errors': 'Errors',
  'journey.first': 'First milestone',
  'journey.latest': 'Latest record',
  'journey.never': 'none in this range',
  'journey.milestones': 'Milestones',
  'journey.milestonesNote': 'of all times',
  'journey.noMilestones': 'No milestone was reached yet.',
  'journey.milestone': 'milestone',
  'journey.start': 'the start',
  'journey.later': '{time} later',
  'journey.times': '{count} times',
  'journey.timeline': 'Timeline',
  'journey.timelineNote': 'newest first',
  'journey.truncated': 'the newest {count} records of this range',
  'journey.events': 'As a list with filters',
  'journey.states': 'Moves between states',
  'journey.state': 'State',
  'journey.move': 'Move',
  'journey.count': 'Times',
  'journey.wait': 'Before it',
  'journey.nothing': 'nothing',
  'journey.nobody': 'Whose journey?',
  'journey.nobodyText': 'This address names no subject. Search for one among the journeys.',
  'journey.none': 'Nothing of this subject in this range',
  'journey.noneText':
    'Look at a longer range, or check the spelling: a ref is a type and an id, such as user:u-1042.',
  'journeys.figures': 'Figures',
  'journeys.widen': 'Look at {range}'
}

/** Adds the texts; cheap to call again. */
export function registerJourneyTexts(): void {
  registerCatalog('en', texts)
}
