// The content security policy and the other headers of the shell's documents. Pure.
import { createHash } from 'node:crypto'

/** What a Content-Security-Policy allows besides own files. */
export interface PolicyOptions {
  /** The text of the import map: the one inline script, allowed by its hash. */
  readonly importMap: string
  /** An origin beside the document's own that scripts may call. */
  readonly connect?: string | undefined
  /** Who may show the document in a frame. Default `none`. */
  readonly frames?: 'none' | 'self' | undefined
}

/** The source expression that allows exactly this inline text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Own files only, and no inline script but the import map. */
export function contentPolicy({ importMap, connect, frames = 'none' }: PolicyOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${hashSource(importMap)}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${connect === undefined ? '' : ` ${connect}`}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors '${frames}'`
  ].join('; ')
}

/** Headers of every document of a shell. */
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
