// The logos of clients: fetched from public addresses, small images alone, kept for an hour, served from our own origin.
import { createBoundedMap } from '@keelson/sdk'
import { createPublicFetch } from '@keelson/sdk/network'
import type { Response, fetch as undiciFetch } from 'undici'
import type { Settings } from '../config/settings.ts'
import type { OAuthClient } from '../storage/rows.ts'

export interface Logo {
  readonly type: string
  readonly bytes: Buffer
}

export interface Logos {
  /** Undefined for what cannot be fetched or is not an image of a known kind. */
  of(address: string): Promise<Logo | undefined>
}

export interface LogoParts {
  /** The host's fetch for public addresses. Default: one that is made here. */
  readonly fetchPublic?: typeof undiciFetch | undefined
}

/** The logo of a client; undefined when it has none that can be shown. */
export async function logoOf(
  { branding }: Pick<OAuthClient, 'branding'>,
  { logos }: { readonly logos: Logos }
): Promise<Logo | undefined> {
  return branding?.logoUrl === undefined ? undefined : logos.of(branding.logoUrl)
}

const MAX_BYTES = 262_144
const TIMEOUT_MS = 5000
const FRESH_MS = 3_600_000
/** How long a logo that failed is not asked for again. */
const FAILED_MS = 300_000
const MAX_KEPT = 50

interface Kept {
  until: number
  readonly logo: Promise<Logo | undefined>
}

export function createLogos(
  { now }: Pick<Settings, 'now'>,
  { fetchPublic }: LogoParts = {}
): Logos {
  const kept = createBoundedMap<string, Kept>(MAX_KEPT)
  const fetch =
    fetchPublic ??
    createPublicFetch({ timeoutMs: TIMEOUT_MS, caller: { caller: 'The fetch of a logo' } })

  const load = async (address: string): Promise<Logo | undefined> => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const headers = { accept: 'image/png, image/jpeg, image/webp, image/gif' }
      return await readLogo(await fetch(address, { headers, signal, redirect: 'manual' }))
    } catch {
      return undefined
    }
  }

  return {
    of(address) {
      const known = kept.get(address)
      const at = now().getTime()
      if (known !== undefined && at < known.until) return known.logo
      const entry: Kept = { until: at + FRESH_MS, logo: load(address) }
      entry.logo.then((logo) => {
        if (logo === undefined) entry.until = at + FAILED_MS
      })
      kept.set(address, entry)
      return entry.logo
    }
  }
}

async function readLogo(response: Response): Promise<Logo | undefined> {
  if (response.status !== 200) {
    await response.body?.cancel()
    return undefined
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const type = imageType(bytes)
  return type === undefined ? undefined : { type, bytes }
}

/** By its first bytes, whatever its host calls it. SVG is not among them: it can hold scripts. */
export function imageType(bytes: Buffer): string | undefined {
  const text = bytes.subarray(0, 12).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : undefined
}
