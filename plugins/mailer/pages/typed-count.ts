// The field in which a person types how many mails go out: only that number unlocks the button.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'

/** What a field for a number shows. */
export interface TypedCount {
  /** What must be typed; undefined while it is counted. */
  readonly expected: number | undefined
  /** What was typed. */
  readonly typed: string
  /** The count changed since it was typed. */
  readonly hasChanged: boolean
  onTyped(text: string): void
}

/** Whether the number that was typed is the one that holds. */
export const isTyped = ({ expected, typed }: Pick<TypedCount, 'expected' | 'typed'>): boolean =>
  expected !== undefined && typed === String(expected)

/** The field, and what to say about what was typed. */
export function typedCount(
  count: TypedCount,
  label: string,
  t: (key: string, values?: Readonly<Record<string, string | number>>) => string
): TemplateResult {
  const { expected, typed, hasChanged, onTyped } = count
  const isWrong = hasChanged && !isTyped(count)
  return html`${formField(
    label,
    html`<input class="field" name="typed" autofocus inputmode="numeric" autocomplete="off" .value=${typed} aria-invalid=${isWrong ? 'true' : 'false'}
      @input=${(event: Event) => onTyped((event.target as HTMLInputElement).value.trim())} />`
  )}
    <p role="status" class=${isWrong ? 'problem' : 'quiet'}>${isTyped(count) ? t('mail.countMatches') : isWrong && expected !== undefined ? t('mail.countChanged', { count: expected }) : nothing}</p>`
}
