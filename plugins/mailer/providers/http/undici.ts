// undici, loaded by the first call: most mailers have one provider, and a kernel gives it its own fetch.
import { atFirstUse } from '@keelson/sdk'
import type { fetch } from 'undici'

/** What calls are made with. */
export const loadUndici: () => Promise<typeof import('undici')> = atFirstUse(() => import('undici'))

/** undici's fetch, of providers that are made without another. */
export const undiciFetch: typeof fetch = async (input, init) =>
  (await loadUndici()).fetch(input, init)
