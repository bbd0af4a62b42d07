// undici, loaded by the first call: many processes make none.
import { atFirstUse } from '../at-first-use.ts'

/** What calls are made with. */
export const loadUndici = atFirstUse(() => import('undici'))
