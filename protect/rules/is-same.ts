// Compares secrets.
import { hash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in time that does not depend on where they differ. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
