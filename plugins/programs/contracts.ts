// What programs offer to other plugins, and what they take from the host: with their types.
import type { Actor } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** What the host knows of the subjects of programs: accounts, or people. Called with at most some hundred ids. */
export interface FactsAdapter {
  /** The facts and their types; a program that names another one cannot be published. Default: any. */
  readonly facts?: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'time'>>
  /** Facts by subject. A throw makes the runs wait. `lastSessionAt` is known to the policy. */
  resolve(
    subjectIds: readonly string[]
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string | number | boolean | Date | null>>>>
  /** Ids of the contacts who get the mails of each subject; the first 20 are used. */
  recipients(subjectIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Provided by the host's own plugin. Without it contacts are the subjects, and their fields and tags the facts. */
export const programFacts: Capability<FactsAdapter> = defineCapability<FactsAdapter>(
  'programs.facts/v1',
  Type.Object(requiredFunctions('resolve', 'recipients'))
)

/** Subjects of programs, for plugins that know when one is gone. */
export interface ProgramSubjects {
  /** In the name of who acts, whose right the mailer checks and whom its audit log names. */
  as(actor: Actor): {
    /**
     * Erases a subject from all programs; `forget` of the mailer does so for contacts. Safe to repeat.
     *
     * @throws MLR_ACTOR_FORBIDDEN, PRG_SUBJECT_INVALID
     */
    forget(subjectId: string): Promise<void>
  }
}

/** Provided by programs. */
export const programSubjects: Capability<ProgramSubjects> = defineCapability<ProgramSubjects>(
  'programs.subjects/v1',
  Type.Object(requiredFunctions('as'))
)
