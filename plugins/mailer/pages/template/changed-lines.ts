// A field that differs between two versions of a template, as lines. Pure.
import type { DiffLine } from '../../ledger/diff-lines.ts'

/** A field that differs, as the admin API compares versions. */
export interface FieldChange {
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
  readonly isTooLarge?: boolean
  readonly hunks?: readonly { readonly newStart: number; readonly lines: readonly string[] }[]
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed' }

const lineOf = (text: string): DiffLine => ({
  kind: KINDS[text.charAt(0)] ?? 'same',
  text: text.slice(1)
})

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The lines of long texts that differ, each stretch with its place; of other values the old and the new one. */
export function changedLines({ hunks, before, after }: FieldChange): readonly DiffLine[] {
  if (hunks !== undefined)
    return hunks.flatMap(({ newStart, lines }) => [
      { kind: 'place', text: `@@ ${newStart}` } as const,
      ...lines.map(lineOf)
    ])
  const line = (kind: 'removed' | 'added', value: unknown): DiffLine[] =>
    value === undefined ? [] : [{ kind, text: shown(value) }]
  return [...line('removed', before), ...line('added', after)]
}
