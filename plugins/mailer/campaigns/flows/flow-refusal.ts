// Why an operation on flows or runs was refused: a value that each caller maps to its wire.
import type { StepFault } from './interpret/check-steps.ts'

/** Codes of refusals. */
export type FlowRefusalCode =
  | 'not_found'
  | 'version_not_found'
  | 'validation_failed'
  | 'slug_taken'
  | 'empty_flow'
  | 'invalid_steps'
  | 'no_live_steps'
  | 'has_runs'
  | 'conflict'
  | 'draft_conflict'
  | 'run_not_active'
  | 'run_busy'

/** Why an operation was refused. Nothing was changed. */
export interface FlowRefusal<Code extends FlowRefusalCode = FlowRefusalCode> {
  readonly ok: false
  readonly code: Code
  /** One sentence for people. */
  readonly message: string
  /** Of `invalid_steps`. */
  readonly faults?: readonly StepFault[]
}

/** Makes a refusal. */
export const refused = <Code extends FlowRefusalCode>(
  code: Code,
  message: string,
  faults?: readonly StepFault[]
): FlowRefusal<Code> => ({ ok: false, code, message, ...(faults && { faults }) })
