// Flows as versioned documents: steps, what starts them and their goal are drafted and published together.

import { defined } from '../../ledger/defined.ts'
import type { FlowContent, FlowRow, FlowVersionRow } from '../../ledger/flow-rows.ts'
import { type MailVersioned, recordChange } from '../../ledger/mail-versioned.ts'

/** What a draft, a version and a comparison of flows hold. */
export const versionedFlow: MailVersioned<FlowRow, FlowVersionRow, FlowContent> = {
  noun: 'flow',
  collection: 'mailer_flows',
  documents: ({ collections }) => collections.flows,
  versions: ({ collections }) => collections.flowVersions,
  owner: 'flowId',
  ownerOf: ({ _id }) => _id,
  publishedOf,
  // A draft may be older than the trigger in it: then the flow says what starts it.
  editedOf: (row) => contentOf({ ...publishedOf(row), ...row.draft }),
  contentOf,
  record: recordChange
}

/** The published content. */
export function publishedOf({ steps, trigger, goal = '' }: FlowRow): FlowContent {
  return { steps, trigger, goal }
}

/** Versions may be older than the trigger and the goal in them. */
function contentOf({ steps, trigger, goal }: FlowContent): FlowContent {
  return { steps, ...defined({ trigger, goal }) }
}

/** The content of an earlier version; what it does not know stays as it is published. */
export const contentAgain = (row: FlowRow, earlier: FlowContent): FlowContent => ({
  ...publishedOf(row),
  ...earlier
})

/** The fields that are compared. Neither side has a trigger where one of the two versions does not know it. */
export function comparedFields({ steps, trigger, goal }: FlowContent, other: FlowContent | null) {
  const isKnown = other === null || other.trigger !== undefined
  return { steps, ...(isKnown && defined({ trigger, goal: goal || undefined })) }
}
