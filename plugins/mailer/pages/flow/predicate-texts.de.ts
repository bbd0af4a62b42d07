// German of the conditions of flows.
import type { Messages } from '@keelson/ui'

/** The German texts. */
export const messages: Messages = {
  'predicate.none': 'Noch keine Bedingung',
  'predicate.and': 'und',
  'predicate.or': 'oder',
  'predicate.not': 'nicht {what}',
  'predicate.anyMail': 'irgendeine Mail',
  'predicate.withinDays': { one: 'am letzten Tag', other: 'in den letzten {count} Tagen' },
  'predicate.sinceFlowStart': 'seit Beginn des Laufs',
  'predicate.hasTag.words': 'hat Tag {name}',
  'predicate.notHasTag.words': 'hat Tag {name} nicht',
  'predicate.fieldEquals.words': '{name} ist {value}',
  'predicate.fieldExists.words': '{name} ist gesetzt',
  'predicate.triggerPropertyEquals.words': 'Ereignis {name} ist {value}',
  'predicate.triggerPropertyTruthy.words': 'Ereignis {name} ist gesetzt',
  'predicate.subscriptionStatus.words': 'Abonnement ist {name}',
  'predicate.hasFiredEvent.words': '{name} geschah',
  'predicate.notHasFiredEvent.words': '{name} geschah nicht',
  'predicate.hasOpened.words': 'hat {template} geöffnet',
  'predicate.hasClicked.words': 'hat in {template} geklickt',
  'predicate.hasOpenedExcludingBots.words': 'ein Mensch hat {template} geöffnet',
  'predicate.hasClickedExcludingBots.words': 'ein Mensch hat in {template} geklickt',
  'predicate.openedAtLeastN.words': 'hat {template} mindestens {count}-mal geöffnet',
  'predicate.clickedAtLeastN.words': 'hat in {template} mindestens {count}-mal geklickt'
}
