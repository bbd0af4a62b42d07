// The content security policy of the shell's documents. Pure.
import { createHash } from 'node:crypto'

/** The source expression that allows exactly this inline text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Own files only; the one inline script is the import map, by its hash. */
export function contentPolicy(importMap: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${hashSource(importMap)}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join('; ')
}

/** Headers of every document of the shell. */
export function documentHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    vary: 'cookie, accept'
  }
}

/**
 * Over those, for what stands in the middle of another site's errand (the sign-in, pages that are alone):
 * a window that was opened for it keeps its opener, or the site would wait for ever.
 */
export const OPENED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'unsafe-none'
}
