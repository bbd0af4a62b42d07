// What the parts of the Template page are written with.
import type { Format } from '@keelson/ui'
import type { Linked } from '../addresses.ts'

/** Texts and numbers in the language of the page, and its addresses. */
export interface Words extends Linked {
  readonly format: Format
  readonly now: number
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  /** The address of the page with changed parameters. */
  address(changes: Readonly<Record<string, string | null>>): string
}
