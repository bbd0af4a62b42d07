// URIs in the normal form of RFC 3986 §6.2, by which resources are compared. Pure.

const UNRESERVED = /[A-Za-z0-9._~-]/

/** Percent-encoding in upper case, and none where a character needs none. */
const encoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : whole.toUpperCase()
  })

/**
 * The text that equal URIs share. A slash at the end of the path counts for nothing: people paste addresses
 * with one, and URL libraries add it to an origin. Undefined for text that is not an absolute URI.
 */
export function normalUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  // Decoded first, so that encoded dot segments are removed as well.
  const once = encoded(uri)
  if (!URL.canParse(once)) return undefined
  const url = new URL(once)
  const [beforeQuery = '', query] = url.href.split('?', 2)
  const path = encoded(beforeQuery).replace(/\/+$/, '')
  return query === undefined ? path : `${path}?${encoded(query)}`
}
