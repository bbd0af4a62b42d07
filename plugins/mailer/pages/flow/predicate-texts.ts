// English of predicates as words on a card.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'predicate.none': 'No condition yet',
  'predicate.and': 'and',
  'predicate.or': 'or',
  'predicate.not': 'not {what}',
  'predicate.anyMail': 'any mail',
  'predicate.withinDays': { one: 'in the last day', other: 'in the last {count} days' },
  'predicate.sinceFlowStart': 'since the run began',
  'predicate.hasTag.words': 'has tag {name}',
  'predicate.notHasTag.words': 'does not have tag {name}',
  'predicate.fieldEquals.words': '{name} is {value}',
  'predicate.fieldExists.words': '{name} is set',
  'predicate.triggerPropertyEquals.words': 'event {name} is {value}',
  'predicate.triggerPropertyTruthy.words': 'event {name} is set',
  'predicate.subscriptionStatus.words': 'subscription is {name}',
  'predicate.hasFiredEvent.words': '{name} happened',
  'predicate.notHasFiredEvent.words': '{name} did not happen',
  'predicate.hasOpened.words': 'opened {template}',
  'predicate.hasClicked.words': 'clicked in {template}',
  'predicate.hasOpenedExcludingBots.words': 'a person opened {template}',
  'predicate.hasClickedExcludingBots.words': 'a person clicked in {template}',
  'predicate.openedAtLeastN.words': 'opened {template} at least {count} times',
  'predicate.clickedAtLeastN.words': 'clicked in {template} at least {count} times'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerPredicateTexts(): void {
  registerCatalog('en', texts, { de: () => import('./predicate-texts.de.ts') })
}
