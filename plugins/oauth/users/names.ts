// The names of people in lists for administrators, as the host knows them now.
import type { Settings } from '../config/settings.ts'

/** By user id: the name of a person, else the email address. The list must work without names. */
export async function namesOf(
  userIds: ReadonlySet<string>,
  { loadUser, logger }: Pick<Settings, 'loadUser' | 'logger'>
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (loadUser === undefined) return names
  const load = async (userId: string): Promise<void> => {
    const user = await loadUser(userId)
    const name = user?.displayName ?? user?.email
    if (name !== undefined) names.set(userId, name)
  }
  try {
    await Promise.all([...userIds].map(load))
  } catch (err) {
    logger.warn({ err }, 'loadUser failed; people are shown by their ids')
  }
  return names
}
