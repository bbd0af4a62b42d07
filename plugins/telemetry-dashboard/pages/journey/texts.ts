// English of the Journey page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'journey.title': 'Journey',
  'journey.back': 'All journeys',
  'journey.copy': 'Copy ref',
  'journey.records': 'Records in this range',
  'journey.errors': 'Errors',
  'journey.first': 'First milestone',
  'journey.latest': 'Latest record',
  'journey.never': 'none in this range',
  'journey.milestones': 'Milestones',
  'journey.milestonesNote': 'all time',
  'journey.noMilestones': 'No milestones reached yet.',
  'journey.milestone': 'milestone',
  'journey.start': 'the start',
  'journey.later': '{time} later',
  'journey.times': '{count} times',
  'journey.timeline': 'Timeline',
  'journey.timelineNote': 'newest first',
  'journey.truncated': 'the newest {count} records of this range',
  'journey.events': 'Open in Events',
  'journey.states': 'State changes',
  'journey.state': 'State',
  'journey.move': 'Change',
  'journey.count': 'Count',
  'journey.wait': 'Time before',
  'journey.nothing': 'nothing',
  'journey.unnamed': 'No person selected',
  'journey.unnamedText': 'The address names no subject. Find one on the Journeys page.',
  'journey.several': 'Several subjects have the ID {id}',
  'journey.severalText': 'Choose which one to open.',
  'journey.unknown': 'No subject with the ID {id}',
  'journey.unknownText':
    'A subject is written as a type and an ID, such as user:u-1042. Check the spelling, or open it anyway.',
  'journey.open': 'Open {ref}',
  'journey.none': 'No records of this subject in this range',
  'journey.noneText':
    'Choose a longer range, or check the spelling: a ref is a type and an ID, such as user:u-1042.',
  'journeys.figures': 'Figures'
}

/** Adds the texts; cheap to call again. */
export function registerJourneyTexts(): void {
  registerCatalog('en', texts)
}
