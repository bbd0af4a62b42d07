// Fetches the two feeds of SNDS. The key travels in the address, so nothing here shows an address.
import type { Host } from '@keelson/sdk'
import type { SndsConfig } from '../config.ts'
import { errors } from '../errors.ts'
import { type DataFeed, readDataFeed } from './read-data-feed.ts'
import { readStatusFeed, type SndsRange } from './read-status-feed.ts'

/** Reads SNDS. Both reject with SND_CALL_FAILED or SND_FEED_INVALID. */
export interface SndsClient {
  data(signal: AbortSignal): Promise<DataFeed>
  status(signal: AbortSignal): Promise<readonly SndsRange[]>
}

const BASE_URL = 'https://sendersupport.olc.protection.outlook.com/snds'
const TIMEOUT_MS = 30_000
const MAX_CHARACTERS = 20_000_000

/** undefined without a key, unless a gateway at the address of the settings adds it. */
export function createSndsClient(
  fetch: Host['fetch'],
  { accessKey, baseUrl }: SndsConfig
): SndsClient | undefined {
  if (!accessKey && !baseUrl) return undefined
  const query = accessKey ? `?key=${encodeURIComponent(accessKey)}` : ''
  const base = (baseUrl || BASE_URL).replace(/\/+$/, '')
  const get = async (path: string, signal: AbortSignal): Promise<string> => {
    try {
      const answer = await fetch(`${base}/${path}${query}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`it answered ${answer.status}`)
      if (text.length > MAX_CHARACTERS) throw new Error('its answer is too long')
      return text
    } catch (error) {
      // Without its cause: an error of the network may hold the address, and the address holds the key.
      throw errors.SND_CALL_FAILED({ reason: withoutKey(reasonOf(error), accessKey) })
    }
  }
  return {
    async data(signal) {
      const feed = readDataFeed(await get('data.aspx', signal))
      if (feed === undefined) throw errors.SND_FEED_INVALID({ feed: 'data' })
      return feed
    },
    async status(signal) {
      const ranges = readStatusFeed(await get('ipStatus.aspx', signal))
      if (ranges === undefined) throw errors.SND_FEED_INVALID({ feed: 'blocked-range' })
      return ranges
    }
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

export const withoutKey = (text: string, key = ''): string =>
  (key === ''
    ? text
    : text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]')
  ).slice(0, 300)
