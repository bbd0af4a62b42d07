// Texts of an error without what changes from one time to the next. Pure.

const MARK = '#'
const URL_TEXT = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>)\]]+/gi
const MAIL_ADDRESS = /[^\s"'<>@()[\],;:]{1,64}@[^\s"'<>@()[\],;:]{1,255}/g
/** A quotation mark within a word is an apostrophe. */
const QUOTED =
  /(?<![\p{L}\p{N}])(["'`])(?:(?!\1)[^\n]){0,400}\1(?![\p{L}\p{N}])|“[^”\n]{0,400}”|«[^»\n]{0,400}»/gu
const UUID = /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi
const IPV6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?(?![\w:])/gi
const HEX = /\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi
/** Ids of letters and digits, as nanoid, ULID and base64 make them. */
const ID = /\b(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[a-z])[\w-]{16,}\b/gi
const NUMBER = /\d+(?:[.,:]\d+)*/g

/** A message without addresses, URLs, ids, numbers and quoted values. */
export function steadyMessage(message: string): string {
  return [URL_TEXT, MAIL_ADDRESS, QUOTED, UUID, IPV6, HEX, ID, NUMBER]
    .reduce((text, pattern) => text.replace(pattern, MARK), message)
    .replace(/\s+/g, ' ')
    .trim()
}

const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i
/** The hash that a bundler adds: at least six digits of hex, or eight of base64 that are no word. */
const BUILD_HASH =
  /[-._](?=[0-9a-f]*\d)[0-9a-f]{6,64}(?=[-._/]|$)|[-.](?=[\w-]{0,7}[\d_-])[A-Za-z0-9_-]{8}(?=\.\w{2,4}$)/gi
const HASH_FOLDER = /\/(?:(?=[0-9a-f]*\d)[0-9a-f]{6,64}|v?\d[\d.]*)(?=\/)/gi

/** A file without the host and port that served it, query, build hashes and folders of a release. */
export function steadyFile(filename: string): string {
  return filename
    .replace(ORIGIN, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
    .replace(BUILD_HASH, MARK)
    .replace(HASH_FOLDER, `/${MARK}`)
}

/** A function without addresses and numbers that a compiler gives. */
export function steadyFunction(fn: string): string {
  return fn
    .replace(/^(?:async|new) /, '')
    .replace(/0x[0-9a-f]+/gi, MARK)
    .replace(/\d+/g, MARK)
}
