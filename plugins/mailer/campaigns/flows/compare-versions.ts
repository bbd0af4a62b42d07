// Compares two versions of a flow, or its draft with what is published.
import type { VersionState } from '@keelson/sdk/versions'
import { type Comparison, compareStates } from '../../ledger/compare-states.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { comparedFields, versionedFlow } from './versioned-flow.ts'

/** Changes of steps, trigger and goal. A flow that was never published begins empty. */
export const compareFlow = (
  context: MailerContext,
  slug: string,
  states: readonly [VersionState, VersionState]
): Promise<Comparison> => compareStates(context, versionedFlow, slug, states, comparedFields)
