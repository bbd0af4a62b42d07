// The versions that runs are pinned to, kept in memory: a published version never changes.

import { createBoundedMap } from '@keelson/sdk'
import { versionId } from '@keelson/sdk/versions'
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import type { FlowStep } from '../../../ledger/flow-steps.ts'
import { type Questions, questionsOf } from '../interpret/facts.ts'

/** A version of a flow, ready to be interpreted. */
export interface PreparedVersion {
  readonly steps: readonly FlowStep[]
  readonly questions: Questions
}

/** Versions of flows by the runs that follow them. */
export interface FlowVersions {
  /** Call it before `of`. One query for the versions that are not in memory. */
  load(runs: readonly FlowRunRow[]): Promise<void>
  /** Undefined when the version does not exist. */
  of(run: FlowRunRow): PreparedVersion | undefined
}

const KEPT = 500

const idOf = ({ flowId, flowVersion }: FlowRunRow) => versionId(flowId, flowVersion)

/** Makes an empty store; one per process. */
export function createFlowVersions({ collections }: MailerContext): FlowVersions {
  const known = createBoundedMap<string, PreparedVersion>(KEPT)
  return {
    async load(runs) {
      const missing = [...new Set(runs.map(idOf))].filter((id) => known.get(id) === undefined)
      if (missing.length === 0) return
      const rows = await collections.flowVersions.find({ _id: { $in: missing } }).toArray()
      for (const { _id, steps } of rows) known.set(_id, { steps, questions: questionsOf(steps) })
    },
    of: (run) => known.get(idOf(run))
  }
}
