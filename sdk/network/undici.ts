// undici, loaded by the first call: many processes make none.
import { atFirstUse } from '../at-first-use.ts'

/** The module, by its name: written out, its type names files that undici does not export. */
export type Undici = typeof import('undici')

/** What calls are made with. */
export const loadUndici: () => Promise<Undici> = atFirstUse(() => import('undici'))
