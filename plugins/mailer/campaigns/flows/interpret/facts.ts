// What a run is interpreted with: facts as data, fetched by kind only where a definition asks for them.
import type { Engagement } from '../../../audience/segments/find-behaviour.ts'
import type { MailContact, SubscriptionStatus } from '../../../contracts/mailer-core.ts'
import { templatesOf, walkSteps } from '../../../ledger/flow-paths.ts'
import type { FlowStep, LeafPredicate, Predicate } from '../../../ledger/flow-steps.ts'

/** What is known about the contact of a run. A kind that is left out was not fetched yet. */
export interface RunFacts {
  /** With the tags of every store; null when the host does not know the contact. */
  readonly contact: MailContact | null
  /** null without a subscription. */
  readonly subscription: SubscriptionStatus | null
  /** The latest time of each event that the definition asks for. */
  readonly events?: ReadonlyMap<string, Date>
  readonly engagement?: readonly Engagement[]
  /** Whether the event that the run waits for came in time. */
  readonly awaited?: boolean
  /** Of the templates that the definition sends, those that are transactional. */
  readonly transactional?: ReadonlySet<string>
}

/** A kind of facts that is fetched on demand. */
export type FactKind = 'events' | 'engagement' | 'awaited' | 'transactional'

/** What a definition may ask for. */
export interface Questions {
  readonly events: ReadonlySet<string>
  /** Template slugs; null: any template. */
  readonly templates: ReadonlySet<string> | null
  /** Slugs of the templates that it sends. */
  readonly sends: readonly string[]
}

/** The kind of facts that a predicate without others inside needs. */
export function kindOf(leaf: LeafPredicate): 'events' | 'engagement' | undefined {
  if ('hasFiredEvent' in leaf || 'notHasFiredEvent' in leaf) return 'events'
  return engagementIn(leaf) === undefined ? undefined : 'engagement'
}

/** The predicates inside a predicate that hold no others. */
export function leavesOf(predicate: Predicate): readonly LeafPredicate[] {
  if ('all' in predicate) return predicate.all.flatMap(leavesOf)
  if ('any' in predicate) return predicate.any.flatMap(leavesOf)
  if ('not' in predicate) return leavesOf(predicate.not)
  return [predicate]
}

/** Everything that the predicates of a definition may ask for. */
export function questionsOf(steps: readonly FlowStep[]): Questions {
  const all = [...walkSteps(steps)].map(([, step]) => step)
  const leaves = all.flatMap((step) => ('test' in step ? leavesOf(step.test) : []))
  const engaged = leaves.flatMap((leaf) => engagementIn(leaf) ?? [])
  const slugs = engaged.flatMap(({ templateSlug }) => templateSlug ?? [])
  return {
    events: new Set(leaves.flatMap((leaf) => eventIn(leaf) ?? [])),
    templates: slugs.length < engaged.length ? null : new Set(slugs),
    sends: templatesOf(all)
  }
}

function eventIn(leaf: LeafPredicate): string | undefined {
  if ('hasFiredEvent' in leaf) return leaf.hasFiredEvent
  return 'notHasFiredEvent' in leaf ? leaf.notHasFiredEvent : undefined
}

function engagementIn(leaf: LeafPredicate): { readonly templateSlug?: string } | undefined {
  if ('hasOpened' in leaf) return leaf.hasOpened
  if ('hasClicked' in leaf) return leaf.hasClicked
  if ('hasOpenedExcludingBots' in leaf) return leaf.hasOpenedExcludingBots
  if ('hasClickedExcludingBots' in leaf) return leaf.hasClickedExcludingBots
  if ('openedAtLeastN' in leaf) return leaf.openedAtLeastN
  return 'clickedAtLeastN' in leaf ? leaf.clickedAtLeastN : undefined
}
