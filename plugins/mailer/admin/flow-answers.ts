// What the operations of flows answer, written for their readers.
import { Type } from '@keelson/sdk'
import { NOT_ENTERED_REASONS } from '../ledger/event-rows.ts'
import type { FlowTrigger } from '../ledger/flow-rows.ts'
import type { FlowStep } from '../ledger/flow-steps.ts'
import { ownerProblem, runHold, time, versionSchema } from './admin-operation.ts'

const optional = Type.Optional
const count = Type.Integer()

/** Steps as they are stored: those of a draft may be unfinished. */
const steps = Type.Unsafe<readonly FlowStep[]>(
  Type.Array(
    Type.Object(
      { type: Type.String({ description: 'As `send`, `wait` or `branch`.' }) },
      {
        title: 'FlowStep',
        description: 'What else it has depends on its type. That of a draft may be unfinished.',
        additionalProperties: true
      }
    )
  )
)

const trigger = Type.Unsafe<FlowTrigger>(
  Type.Object(
    {
      type: Type.Enum(['event', 'segment_enter', 'cron']),
      eventName: optional(Type.String()),
      segmentDefinition: optional(Type.Unknown({ description: 'The filters of the segment.' })),
      cronExpression: optional(Type.String()),
      once: Type.Boolean({ description: 'Each contact enters once, ever.' })
    },
    { title: 'FlowTrigger' }
  )
)

const startAndGoal = { trigger: optional(trigger), goal: optional(Type.String()) }

const head = {
  slug: Type.String(),
  name: Type.String(),
  description: optional(Type.String()),
  goal: optional(Type.String()),
  audience: optional(Type.String()),
  expectedVolumePerWeek: optional(count),
  enabled: Type.Boolean(),
  enabledAt: optional(time),
  trigger,
  version: Type.Integer({ description: '0 until it is published.' }),
  revision: Type.Integer({ description: 'For `If-Match` of the next change.' }),
  publishedAt: optional(time),
  publishedBy: optional(Type.String()),
  lastTriggerScanAt: optional(time),
  createdAt: time,
  updatedAt: time
}

/** A flow with its published steps and its draft. */
export const flowSchema = Type.Object(
  {
    ...head,
    ownerProblem,
    steps,
    draft: Type.Union([
      Type.Object(
        { steps, ...startAndGoal, notes: optional(Type.String()) },
        { title: 'FlowDraft', description: 'Left out is what the flow has.' }
      ),
      Type.Null()
    ]),
    gate: optional(
      Type.Union(
        [
          Type.Object({
            tag: Type.String(),
            of: Type.Integer({ description: 'The version without the gate.' })
          }),
          Type.Null()
        ],
        { description: 'Set while only contacts with the tag get past the first step.' }
      )
    )
  },
  { title: 'Flow' }
)

/** A flow in a list. */
export const flowLineSchema = Type.Object(
  {
    ...head,
    hasDraft: Type.Boolean(),
    stepCount: Type.Integer({ description: 'Of the draft, else of what is published.' })
  },
  { title: 'FlowLine' }
)

/** What a publish answers. */
export const flowPublishedSchema = Type.Object(
  { ok: Type.Literal(true), ...flowSchema.properties },
  { title: 'FlowPublished' }
)

/** What stopping a flow answers. */
export const flowStoppedSchema = Type.Object(
  {
    ok: Type.Literal(true),
    ...flowSchema.properties,
    abortedRuns: count,
    cancelledSends: count
  },
  { title: 'FlowStopped' }
)

/** A published version in a list. */
export const flowVersionLineSchema = Type.Object(
  { version: versionSchema, publishedAt: time, publishedBy: Type.String() },
  { title: 'FlowVersionLine' }
)

/** A version as it was published. */
export const flowVersionSchema = Type.Object(
  { ...flowVersionLineSchema.properties, steps, ...startAndGoal },
  { title: 'FlowVersion' }
)

/** Whether a run goes on. */
export const runStatusSchema = Type.Enum(['active', 'completed', 'exited', 'failed'])

/** A run with what happened in it. */
export const flowRunSchema = Type.Object(
  {
    _id: Type.String(),
    flowSlug: Type.String(),
    flowVersion: count,
    externalId: Type.String(),
    emailAtEntry: Type.Union([Type.String(), Type.Null()]),
    triggerEvent: Type.Union([
      Type.Object({ name: Type.String(), properties: Type.Record(Type.String(), Type.Unknown()) }),
      Type.Null()
    ]),
    status: runStatusSchema,
    path: Type.String({ description: 'The next step, with the arms that lead to it: `2.true.0`.' }),
    waitingFor: optional(Type.String({ description: 'The event that it waits for.' })),
    waitingMatch: optional(
      Type.Object(
        {
          property: Type.String(),
          value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
        },
        { description: 'What a property of it must be; null is never met.' }
      )
    ),
    waitSince: optional(time),
    nextActionAt: optional(time),
    hold: runHold,
    history: Type.Array(
      Type.Object(
        {
          at: time,
          path: Type.String(),
          action: Type.String({ description: 'As `sent` or `branch_taken`.' }),
          detail: optional(Type.Record(Type.String(), Type.Unknown()))
        },
        { title: 'FlowRunEntry' }
      ),
      { description: 'The 200 newest.' }
    ),
    enteredAt: time,
    exitedAt: optional(time),
    exitReason: optional(Type.String())
  },
  { title: 'FlowRun' }
)

/** Why a contact does not enter a flow. */
export const notEnteredReasonSchema = Type.Enum([...NOT_ENTERED_REASONS])

/** A contact that the trigger of a flow did not take. */
export const refusedContactSchema = Type.Object(
  { externalId: Type.String(), reason: notEnteredReasonSchema, at: time },
  { title: 'NotEnteredContact' }
)

const place = { at: time, stepIndex: count, branchPath: Type.String() }

/** The way of a contact through a flow. */
export const flowSimulationSchema = Type.Object(
  {
    version: count,
    enteredAt: time,
    reasons: Type.Array(Type.String(), {
      description: 'Why the contact would not enter now; empty when it would.'
    }),
    reasonCodes: Type.Array(Type.String(), {
      description: 'The codes of the reasons, in the same order.'
    }),
    path: Type.Array(
      Type.Object({
        ...place,
        type: Type.String(),
        outcome: Type.String(),
        detail: optional(Type.Record(Type.String(), Type.Unknown()))
      })
    ),
    sends: Type.Array(Type.Object({ ...place, templateSlug: Type.String() })),
    terminal: Type.Object({
      kind: Type.Enum(['completed', 'exited', 'truncated']),
      reason: Type.Union([Type.String(), Type.Null()]),
      at: time
    })
  },
  { title: 'FlowSimulation' }
)
