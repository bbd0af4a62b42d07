// What the fields of steps and flows offer to choose from.
import type { UsedNames } from '../../ledger/near-names.ts'
import type { EventsAnswer } from './answers.ts'

/** What fields offer to choose from. */
export interface FieldChoices {
  readonly templates: readonly { readonly slug: string; readonly name: string }[]
  readonly events: readonly string[]
  /** How often each event was sent in 30 days, by name; undefined until it is read. */
  readonly fired?: UsedNames
}

/** What fields offer to choose from, of the answers of the API. */
export const choicesOf = (
  templates: FieldChoices['templates'],
  { registered, seen, stats }: EventsAnswer
): FieldChoices => ({
  templates,
  events: [...registered.map(({ name }) => name), ...seen],
  fired: Object.fromEntries(Object.entries(stats).map(([name, { last30d }]) => [name, last30d]))
})
