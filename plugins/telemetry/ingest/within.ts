// Waits for a promise, but not for ever.
import { errors } from '../errors.ts'

/**
 * The promise's result, or TEL_WRITE_FAILED when it takes longer. The work goes on: sending the same
 * records again does no harm.
 */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(errors.TEL_WRITE_FAILED({ reason: `it took longer than ${ms} ms` }))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
