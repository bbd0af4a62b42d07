// The answers of the admin API about programs as the pages read them.
import type { AsJson } from '@keelson/ui'
import type { ProgramStats } from '../../campaigns/programs/measure-program.ts'
import type { ProgramDefinition } from '../../ledger/definition.ts'
import type { ProgramDecisionRow, ProgramRow, ProgramRunRow } from '../../ledger/program-rows.ts'

/** A program; its draft may be anything. */
export type ProgramAnswer = Omit<AsJson<ProgramRow>, 'definition' | 'draft'> & {
  readonly definition: ProgramDefinition | null
  readonly draft: unknown
}
/** Both arms, and what the program adds. */
export type StatsAnswer = ProgramStats
/** A subject in a program. */
export type RunAnswer = AsJson<ProgramRunRow>
/** A run with its newest decisions. */
export interface OneRunAnswer {
  readonly run: RunAnswer
  readonly decisions: readonly Pick<
    AsJson<ProgramDecisionRow>,
    '_id' | 'at' | 'kind' | 'actionId' | 'reason'
  >[]
}
/** What lint found. */
export interface IssuesAnswer {
  readonly issues: readonly {
    readonly severity: string
    readonly path: string
    readonly message: string
  }[]
}
