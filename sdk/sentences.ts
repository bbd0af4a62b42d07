// Sentences that answers hold for people: the English of a table, and the code and facts for pages in other languages.
import { type Static, Type } from './typebox.ts'

/** Schema of {@link Said}: put it beside the `message` of an answer. */
export const saidSchema = Type.Readonly(
  Type.Array(
    Type.Object({
      code: Type.String(),
      facts: Type.Optional(
        Type.Readonly(
          Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
            description: 'What the sentence names, by its slots.'
          })
        )
      )
    }),
    { description: 'The sentences of the message by their codes, for pages in other languages.' }
  )
)

/** The sentences of a message by their codes, in order. A page words each as `said.<code>` of its catalogs. */
export type Said = Static<typeof saidSchema>

/** A message in English, and the same for pages in other languages. */
export interface Sentence {
  readonly message: string
  readonly said: Said
}

/** Code → sentence, with `{slots}`. Codes are unique among all plugins that a page shows. */
export type SentenceTable = Readonly<Record<string, string>>

type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never
type Facts<Text extends string> = Readonly<Record<SlotsOf<Text>, string | number>>

/** Says one sentence of a table. A time as a fact is in ISO 8601, and a page writes it in its own way. */
export type Say<Table extends SentenceTable> = <Code extends keyof Table & string>(
  code: Code,
  ...facts: [SlotsOf<Table[Code]>] extends [never] ? [] : [Facts<Table[Code]>]
) => Sentence

/**
 * Makes the sentences of a table.
 *
 * @example
 * const say = defineSentences({ 'spf.found': 'Found, {count} of 10 look-ups.' })
 * say('spf.found', { count: 3 })
 * // { message: 'Found, 3 of 10 look-ups.', said: [{ code: 'spf.found', facts: { count: 3 } }] }
 */
export function defineSentences<const Table extends SentenceTable>(table: Table): Say<Table> {
  return (code, ...[facts]) => {
    const values: Readonly<Record<string, string | number>> = facts ?? {}
    const message = (table[code] ?? code).replace(/\{(\w+)\}/g, (slot, name: string) =>
      String(values[name] ?? slot)
    )
    return { message, said: [facts === undefined ? { code } : { code, facts: values }] }
  }
}

/** Several sentences as one message. */
export const joinSentences = (sentences: readonly Sentence[]): Sentence => ({
  message: sentences.map(({ message }) => message).join(' '),
  said: sentences.flatMap(({ said }) => said)
})

/** A sentence as the hint of an answer. */
export const hintOf = ({ message, said }: Sentence) => ({ hint: message, hintSaid: said })
