// The readiness checklist: its lines, and the checklist of a domain.
import { type Static, saidSchema, Type, text } from '@keelson/sdk'

const state = Type.Enum(['met', 'warn', 'failed', 'unknown'], {
  description: 'unknown: nothing is stored that says it.'
})

const itemSchema = Type.Object({
  id: text,
  label: text,
  state,
  message: Type.String({ description: 'What was found.' }),
  said: Type.Optional(saidSchema),
  hint: Type.Optional(Type.String({ description: 'What to do.' })),
  hintSaid: Type.Optional(saidSchema),
  fix: Type.Optional(Type.Object({ name: text, type: Type.Literal('TXT'), value: text })),
  requiredBy: Type.Readonly(
    Type.Array(Type.Enum(['gmail', 'yahoo', 'outlook']), { description: 'Empty: recommended.' })
  )
})

/** The checklist of a domain. */
export const readinessSchema = Type.Object({
  domain: text,
  state,
  items: Type.Array(itemSchema, { description: 'What needs work comes first.' })
})

/** A line of the checklist. */
export type ReadinessItem = Omit<Static<typeof itemSchema>, 'requiredBy'> & {
  /** Empty: recommended, and required by none. */
  readonly requiredBy: readonly Receiver[]
}
export type ReadinessState = ReadinessItem['state']
/** Who publishes a requirement. */
export type Receiver = Static<typeof itemSchema>['requiredBy'][number]

export const ALL: readonly Receiver[] = ['gmail', 'yahoo', 'outlook']
