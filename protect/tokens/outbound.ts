// Calls to the authorization server: no redirects, an end, and an answer of limited size.
import { VerifierUnavailable } from '../errors.ts'

/** Largest answer that is read, in bytes. */
const MAX_BYTES = 65_536

/** Fetches a JSON object. @throws VerifierUnavailable for anything else */
export type FetchJson = (
  url: string,
  init?: Pick<RequestInit, 'method' | 'headers' | 'body'>
) => Promise<Readonly<Record<string, unknown>>>

export function createFetchJson(fetchOne: typeof fetch | undefined, timeoutMs: number): FetchJson {
  return async (url, init = {}) => {
    try {
      // Looked up late: a test may replace the global one.
      const response = await (fetchOne ?? fetch)(url, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs)
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        throw new VerifierUnavailable(`${url} answers ${response.status}.`)
      }
      const value: unknown = JSON.parse(await boundedText(response, url))
      if (isObject(value)) return value
      throw new VerifierUnavailable(`${url} does not answer with a JSON object.`)
    } catch (cause) {
      if (cause instanceof VerifierUnavailable) throw cause
      throw new VerifierUnavailable(`${url} cannot be read.`, { cause })
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function boundedText({ body }: Response, url: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.byteLength
    if (bytes > MAX_BYTES) {
      await reader?.cancel()
      throw new VerifierUnavailable(`The answer of ${url} is too large.`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}
