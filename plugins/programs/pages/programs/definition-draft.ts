// The definition of a program as it is typed: JSON that is saved as the draft once it can be read.
import { Draft, type DraftRow, type KeelsonPage } from '@keelson/ui'
import type { ProgramAnswer } from './answers.ts'
import type { ProgramLoads } from './loads.ts'

/** What is edited. */
export interface DefinitionFields {
  readonly text: string
}

/** What JSON says, without its spaces; undefined for a text that is not JSON. */
export function meaningOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A program as the draft takes it. A text that was typed and says the same stays as it was typed. Pure. */
export function rowOf(
  { draft, definition, revision }: ProgramAnswer,
  typed?: string
): DraftRow<DefinitionFields> {
  const text = JSON.stringify(draft ?? definition ?? {}, null, 2)
  const isSame = typed !== undefined && meaningOf(typed) === meaningOf(text)
  return { fields: { text: isSame ? typed : text }, revision }
}

/** A definition that is saved as it is edited. */
export class DefinitionDraft extends Draft<DefinitionFields> {
  constructor(page: KeelsonPage, slug: () => string, loads: () => ProgramLoads) {
    super(page, {
      save: async ({ text = '' }, request) => {
        const program = await loads().saveDraft(slug(), JSON.parse(text), request)
        return { revision: program.revision }
      },
      read: async () => rowOf(await loads().readAgain(slug())),
      words: (error) => loads().api.words(error)
    })
  }

  /** Takes a text. One that is not JSON is kept in the page, and asked about before it is lost. */
  type(text: string): void {
    this.change({ text }, { isHeld: meaningOf(text) === undefined })
  }
}
