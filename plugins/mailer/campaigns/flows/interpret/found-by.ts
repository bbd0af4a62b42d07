// What a test of a step found: the values that it compared, for people who ask why. Pure.
import type { LeafPredicate, Predicate } from '../../../ledger/flow-steps.ts'
import { leavesOf } from './facts.ts'
import { engagedWith, type Judged, own } from './predicates.ts'

/** A value that a rule looked at; null for one that the contact does not have. */
export interface Found {
  readonly what: 'tag' | 'field' | 'property' | 'subscription' | 'event' | 'opened' | 'clicked'
  /** Of a tag, a field, a property of the event, an event or a template; '' for any mail. */
  readonly name: string
  readonly value: unknown
}

/** More rules are not explained. */
const MOST_FOUND = 5

/** The values behind a predicate, each once, in the order of its rules. */
export function foundBy(predicate: Predicate, judged: Judged): readonly Found[] {
  const found = leavesOf(predicate).map((leaf) => foundByLeaf(leaf, judged))
  const once = new Map(found.map((one) => [`${one.what} ${one.name}`, one]))
  return [...once.values()].slice(0, MOST_FOUND)
}

function foundByLeaf(leaf: LeafPredicate, judged: Judged): Found {
  const { subscription } = judged.facts
  if ('hasTag' in leaf) return ofTag(leaf.hasTag, judged)
  if ('notHasTag' in leaf) return ofTag(leaf.notHasTag, judged)
  if ('fieldEquals' in leaf) return ofField(leaf.fieldEquals.field, judged)
  if ('fieldExists' in leaf) return ofField(leaf.fieldExists, judged)
  if ('triggerPropertyEquals' in leaf)
    return ofProperty(leaf.triggerPropertyEquals.property, judged)
  if ('triggerPropertyTruthy' in leaf) return ofProperty(leaf.triggerPropertyTruthy, judged)
  if ('subscriptionStatus' in leaf) return { what: 'subscription', name: '', value: subscription }
  if ('hasFiredEvent' in leaf) return ofEvent(leaf.hasFiredEvent, judged)
  if ('notHasFiredEvent' in leaf) return ofEvent(leaf.notHasFiredEvent, judged)
  const { field, asked, count } = engagedWith(leaf, judged)
  const what = field === 'openedAt' ? 'opened' : 'clicked'
  return { what, name: asked.templateSlug ?? '', value: count }
}

const ofTag = (name: string, { facts: { contact } }: Judged): Found => ({
  what: 'tag',
  name,
  value: contact?.tags.includes(name) === true
})

const ofField = (name: string, { facts: { contact } }: Judged): Found => ({
  what: 'field',
  name,
  value: own(contact?.fields, name) ?? null
})

const ofProperty = (name: string, { run }: Judged): Found => ({
  what: 'property',
  name,
  value: own(run.triggerEvent?.properties, name) ?? null
})

const ofEvent = (name: string, { facts: { events } }: Judged): Found => ({
  what: 'event',
  name,
  value: events?.get(name)?.toISOString() ?? null
})
