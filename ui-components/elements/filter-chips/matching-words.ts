// Suggestions of a field whose values have words. Pure; loaded with the input.
import { type FilterField, matching, wordsOf } from '../../controllers/filter.ts'

/** The values whose words, or which themselves, contain the text; in the order of `matching`. */
export function matchingWords(
  field: FilterField,
  values: readonly string[],
  text: string
): readonly string[] {
  if (field.words === undefined) return matching(values, text)
  const texts = values.map((value) => wordsOf(field, value))
  const found = new Set(matching(texts, text))
  const byWords = [...found].flatMap((words) => values.filter((_, at) => texts[at] === words))
  return [...new Set([...byWords, ...matching(values, text)])]
}
