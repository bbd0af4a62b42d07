// Values that operations and definitions take, with the limits that the mailer gives them.
import { Type } from '@keelson/sdk'

/** Characters of the id of a subject. */
export const MAX_SUBJECT_ID = 256

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Values that operations take, with their limits. */
export const inputs = {
  subjectId: text(MAX_SUBJECT_ID),
  eventName: text(128),
  slug: Type.String({ maxLength: 128, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
} as const
