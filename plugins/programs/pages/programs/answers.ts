// The answers of the admin API about programs as the pages read them.
import type { Static } from '@keelson/sdk'
import type {
  oneProgramRunSchema,
  programIssuesSchema,
  programLineSchema,
  programRunLineSchema,
  programSchema,
  programStatsSchema
} from '../../operations/program-answers.ts'

/** A program; its draft may be anything. */
export type ProgramAnswer = Static<typeof programSchema>
/** A program in the list. */
export type ProgramLine = Static<typeof programLineSchema>
/** Both arms, and what the program adds. */
export type StatsAnswer = Static<typeof programStatsSchema>
/** A subject in the list. */
export type RunLine = Static<typeof programRunLineSchema>
/** A run with its newest decisions. */
export type OneRunAnswer = Static<typeof oneProgramRunSchema>
/** What lint found. */
export type IssuesAnswer = Static<typeof programIssuesSchema>
