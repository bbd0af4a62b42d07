// A flow as the agent API shows it.
import { Type } from '@keelson/sdk'
import { flag, integer, text, time } from './shapes.ts'

/** What starts runs. */
export const triggerSchema = Type.Object(
  {
    type: text,
    once: flag,
    eventName: Type.Optional(text),
    cronExpression: Type.Optional(text),
    segmentDefinition: Type.Optional(Type.Unknown({ description: 'Who is in the segment.' }))
  },
  { title: 'AgentFlowTrigger' }
)

const steps = Type.Array(Type.Unknown({ description: 'A step, as its author wrote it.' }))

/** A flow with its published steps and its draft. */
export const flowSchema = Type.Object(
  {
    slug: text,
    name: text,
    description: Type.Optional(text),
    enabled: flag,
    enabledAt: Type.Optional(time),
    trigger: triggerSchema,
    steps,
    draft: Type.Union([Type.Object({ steps, notes: Type.Optional(text) }), Type.Null()]),
    version: integer,
    gate: Type.Optional(Type.Union([Type.Object({ tag: text, of: integer }), Type.Null()])),
    goal: Type.Optional(text),
    audience: Type.Optional(text),
    expectedVolumePerWeek: Type.Optional(integer),
    publishedAt: Type.Optional(time),
    publishedBy: Type.Optional(text),
    lastTriggerScanAt: Type.Optional(time),
    createdAt: time,
    updatedAt: time
  },
  { title: 'AgentFlow' }
)
