// Asks the plugins which application a sign-in is for.
import { settledWithin } from '@keelson/sdk'
import type { SignInPurpose, SignInPurposes } from '@keelson/sdk/contracts/sign-in-purpose'
import type { FastifyBaseLogger } from 'fastify'

/** How long the sign-in page waits for an answer. */
const LIMIT_MS = 2000

/** The first answer counts. A source that fails or takes too long costs only its answer. */
export async function findPurpose(
  next: string,
  sources: readonly SignInPurposes[],
  log: Pick<FastifyBaseLogger, 'warn'>
): Promise<SignInPurpose | undefined> {
  for (const source of sources) {
    try {
      const purpose = await settledWithin(source.purposeOf(next), LIMIT_MS)
      if (purpose !== undefined) return purpose
    } catch (error) {
      log.warn({ err: error }, 'the purpose of a sign-in could not be read')
    }
  }
  return undefined
}
