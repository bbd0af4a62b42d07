// English of the Journeys page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'journeys.title': 'Journeys',
  'journeys.find': 'Subject',
  'journeys.findHint': 'Find a subject, such as user:u-1042',
  'journeys.family': 'Rollup',
  'journeys.pickFamily': 'Explore a rollup',
  'journeys.figures': 'Figures',
  'journeys.noMilestones': 'No milestones',
  'journeys.noMilestonesText':
    'Funnels and retention need lifetime rollups by subject, and no event in the registry declares one.',
  'journeys.noneStarted': 'No one started in this range',
  'journeys.noneStartedText': 'The cohort is everyone who reached the first stage in this range.',
  'funnel.heading': 'Funnel',
  'funnel.note': 'of everyone who started in this range',
  'funnel.truncated': 'the cohort reached its limit: all numbers are too low',
  'funnel.stages': 'Stages',
  'funnel.cohort': 'Started',
  'funnel.completed': 'Completed',
  'funnel.completedText': '{count} of {total} reached the last stage',
  'funnel.time': 'Median time',
  'funnel.timeText': 'to the last stage',
  'funnel.cohortText': 'in this range',
  'funnel.drop': 'Biggest drop-off',
  'funnel.dropText': {
    one: '{count} dropped off after {name}',
    other: '{count} dropped off after {name}'
  },
  'funnel.beside': 'Besides the stages:',
  'funnel.exit': '{name}: {count}',
  'funnel.ofPrevious': '{value} of previous step',
  'funnel.after': 'after {value}',
  'funnel.stopped': { one: '{count} dropped off', other: '{count} dropped off' },
  'funnel.people': 'People who reached {name}',
  'funnel.missed': 'People who did not reach {name}',
  'funnel.peopleLabel': 'People in the funnel',
  'funnel.whoReached': 'Reached {name}',
  'funnel.whoMissed': 'Dropped off before {name}',
  'funnel.whoNote': { one: '{count} person', other: '{count} people' },
  'funnel.whoPart': 'the newest {shown} of {count}',
  'funnel.ofWeek': 'started in the week of {date}',
  'funnel.last': 'last: {name}',
  'funnel.none': 'No one',
  'funnel.weeks': 'By week',
  'funnel.groups': 'By {key}',
  'funnel.groupsNote': 'what people had at the first stage',
  'funnel.nameless': 'no value',
  'funnel.weeksNote': 'reached and dropped off, by week',
  'funnel.week': 'Week of',
  'retention.heading': 'Weekly retention',
  'retention.note': 'by {name}, weeks of UTC',
  'retention.truncated': 'based on part of the data: the limit of one read was reached',
  'retention.cohort': 'Week',
  'retention.size': 'Started',
  'retention.same': 'Week 0',
  'retention.all': 'All',
  'retention.cell': '{active} of {subjects} active',
  'retention.none':
    'Retention needs a rollup by subject with a bucket, and at least one person who started.',
  'rollup.dims': 'Dimensions',
  'rollup.first': 'First',
  'rollup.last': 'Last',
  'rollup.share': 'Count as a bar',
  'rollup.sum': '{key}, total',
  'rollup.count': 'Count',
  'rollup.note': 'documents in this range',
  'rollup.totals': 'totals in this range',
  'rollup.truncated': 'totals of {count} documents: the limit of one read was reached',
  'rollup.none': 'No documents in this range',
  'journey.back': 'All journeys'
}

/** Adds the texts; cheap to call again. */
export function registerJourneysTexts(): void {
  registerCatalog('en', texts)
}
