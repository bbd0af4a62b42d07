// Asks the plugins which application a sign-in is for.
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
      const purpose = await inTime(source.purposeOf(next))
      if (purpose !== undefined) return purpose
    } catch (error) {
      log.warn({ err: error }, 'the purpose of a sign-in could not be read')
    }
  }
  return undefined
}

async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}
