// Friendly names of subjects, from whoever knows them.

/** Refs that are named at once. */
const MOST_LABELS = 100

/** Subject refs to their names. */
export type Labels = Readonly<Record<string, { readonly label: string; readonly href?: string }>>

/** Without names pages show the refs: a failed lookup is not an error of the page. */
export async function describeSubjects(
  refs: readonly string[],
  read: (path: string) => Promise<{ readonly refs: Labels }>
): Promise<Labels> {
  if (refs.length === 0) return {}
  const asked = new URLSearchParams({ refs: refs.slice(0, MOST_LABELS).join() })
  try {
    return (await read(`/api/subjects/describe?${asked}`)).refs
  } catch {
    return {}
  }
}
