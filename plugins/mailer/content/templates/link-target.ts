// What becomes of a link's target: whether it may be written, and whether it is tracked.

/** Where a target came from. */
export interface TargetOrigin {
  /** A link of an `<a>` that is not marked with `data-mailer-notrack`. */
  readonly isTrackable: boolean
  /** The data of a contact may decide the scheme: nothing of it is in the template. */
  readonly isSchemeFromData: boolean
}

/** How a target came out. */
export interface TargetVerdict {
  /** As it is written; `#` for a target that would run code. Not escaped. */
  readonly href: string
  /** As it is stored and redirected to: printable ASCII. Undefined: it is not tracked. */
  readonly target?: string
}

const RUNS_CODE = new Set(['javascript', 'vbscript', 'data'])
const HARMLESS = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them before they read the scheme
const IGNORED = /[\0-\x1f\x7f]/g
const SCHEME = /^([a-z][a-z0-9+.-]*):/i

/**
 * Judges a target, entities decoded. Not tracked: empty targets, fragments, targets that begin with `{`,
 * other schemes than http and https, and what is not a URL.
 */
export function judgeTarget(decoded: string, origin: TargetOrigin): TargetVerdict {
  const href = decoded.replace(IGNORED, '').trim()
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase()
  if (scheme === undefined) return { href }
  const isHarmful = RUNS_CODE.has(scheme) || (origin.isSchemeFromData && !HARMLESS.has(scheme))
  if (isHarmful) return { href: '#' }
  const isTracked =
    origin.isTrackable && (scheme === 'http' || scheme === 'https') && URL.canParse(href)
  if (!isTracked) return { href }
  // The address of a redirect is a header.
  return { href, target: /^[\x21-\x7e]+$/.test(href) ? href : new URL(href).href }
}
