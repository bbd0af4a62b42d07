// Settings that events and rollups declare alike.
import { isSubjectType } from './names.ts'

export const MAX_DAYS = 36_500

/** Refuses with the place and the problem. */
export type Refuse = (path: string, problem: string) => never

/** A list of subject types, as given. */
export function subjectTypes(value: unknown, path: string, refuse: Refuse): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > 16) refuse(path, 'must be a list of at most 16')
  const types: readonly unknown[] = value
  for (const type of types) {
    if (!isSubjectType(type)) {
      refuse(path, `holds ${JSON.stringify(type)}, which is no subject type`)
    }
  }
  return value
}

/** Whether a number can be a retention. */
export const isDays = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_DAYS
