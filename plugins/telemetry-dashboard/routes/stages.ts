// Reads the stages of a funnel.
import { type Params, readList } from './parameters.ts'
import { type Parsed, refused } from './parsed.ts'

/** Families in one funnel; a request for more is refused. */
export const MAX_STAGES = 20

export function readStages(params: Params): Parsed<readonly string[]> {
  const stages = readList(params, 'stages', MAX_STAGES)
  return stages.ok && stages.value.length === 0 ? refused('funnel stages required') : stages
}
