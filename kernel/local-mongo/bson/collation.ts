// The two collations that are understood: simple (bytes), and English by strength 1 or 2.
import { commandError } from '../errors.ts'
import type { Doc } from './value.ts'

/** How texts are compared where they are not compared by their bytes. */
export interface Collation {
  /** As the client gave it, completed; what listIndexes answers. */
  readonly spec: Doc
  readonly strength: 1 | 2
  /** A text whose byte order in UTF-8 is the order of this collation; equal texts have one key. */
  key(text: string): string
}

/** Undefined stands for the simple collation. Fails with BadValue (2) for any that is not understood. */
export function parseCollation(_spec: Doc | undefined): Collation | undefined {
  throw commandError('NotImplemented', 'collation')
}

/** Whether two collations order texts alike. */
export function isSameCollation(a: Collation | undefined, b: Collation | undefined): boolean {
  return a?.strength === b?.strength
}
