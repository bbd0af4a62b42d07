// How many runs are where in a flow, counted over an index.
import { type Static, Type } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { NOT_ENTERED_REASONS } from '../../ledger/event-rows.ts'
import type { FlowRunRow, RunStatus } from '../../ledger/flow-rows.ts'
import { getFlow } from './flow-operations.ts'

const count = Type.Integer()
const byStatus = { active: count, completed: count, exited: count, failed: count }

/** Where the runs of a flow are. */
export const flowCountsSchema = Type.Object(
  {
    /** The version whose steps are counted. */
    version: count,
    /** Runs of all versions. */
    totals: Type.Object(byStatus),
    /** Runs of the version by the step they are at, or ended at; steps without runs are left out. */
    steps: Type.Array(Type.Object({ path: Type.String(), ...byStatus })),
    /** Versions with active runs, newest first. */
    activeVersions: Type.Array(Type.Object({ version: count, active: count })),
    /** Contacts that the last scan of a trigger by segment or time did not take; events say it themselves. */
    notEntered: Type.Array(Type.Object({ reason: Type.Enum([...NOT_ENTERED_REASONS]), count }))
  },
  { title: 'FlowCounts' }
)

/** Where the runs of a flow are. */
export type FlowCounts = Static<typeof flowCountsSchema>

/** A group of runs. */
export interface RunGroup {
  readonly _id: Pick<FlowRunRow, 'flowVersion' | 'path' | 'status'>
  readonly count: number
}

/** What is grouped: the index `flow_step` has all of it, so the built-in engine counts its entries at once. */
export const countStages = (flowId: string) => [
  { $match: { flowId } },
  {
    $group: {
      _id: { flowVersion: '$flowVersion', path: '$path', status: '$status' },
      count: { $sum: 1 }
    }
  }
]

/** Other indexes of a flow's runs would read each run. */
export const STEP_INDEX = {
  hint: { flowId: 1, flowVersion: 1, path: 1, status: 1, enteredAt: -1, _id: -1 }
} as const

/** Counts the runs of a flow, by steps of `version` (default: the live one); null when the slug is unknown. */
export async function countFlow(
  context: MailerContext,
  slug: string,
  { version }: { readonly version?: number } = {}
): Promise<FlowCounts | null> {
  const flow = await getFlow(context, slug)
  if (flow === null) return null
  const { flowRuns } = context.collections
  const groups = await flowRuns.aggregate<RunGroup>(countStages(flow._id), STEP_INDEX).toArray()
  const { notEntered = {} } = flow.triggerScan ?? {}
  const refused = NOT_ENTERED_REASONS.flatMap((reason) => {
    const contacts = notEntered[reason] ?? 0
    return contacts === 0 ? [] : [{ reason, count: contacts }]
  })
  return { ...countsOf(groups, version ?? flow.version), notEntered: refused }
}

/** Sums up groups. Pure. */
export function countsOf(
  groups: readonly RunGroup[],
  version: number
): Omit<FlowCounts, 'notEntered'> {
  const totals = none()
  const steps = new Map<string, Counts>()
  const actives = new Map<number, number>()
  for (const { _id, count: runs } of groups) {
    const { flowVersion, path, status } = _id
    totals[status] += runs
    if (status === 'active') actives.set(flowVersion, (actives.get(flowVersion) ?? 0) + runs)
    if (flowVersion !== version) continue
    const step = steps.get(path) ?? none()
    step[status] += runs
    steps.set(path, step)
  }
  return {
    version,
    totals,
    steps: [...steps].map(([path, counts]) => ({ path, ...counts })).sort(inOrder),
    activeVersions: [...actives]
      .map(([number, active]) => ({ version: number, active }))
      .sort((a, b) => b.version - a.version)
  }
}

type Counts = Record<RunStatus, number>

const none = (): Counts => ({ active: 0, completed: 0, exited: 0, failed: 0 })

const inOrder = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path.localeCompare(b.path, 'en', { numeric: true })
