// Addresses of the host as other programs reach them. Pure but for the address of this document.

/** What is known of the host: where the API is for this browser, and what others call it. */
export interface Reached {
  readonly apiBase: string
  readonly publicUrl: string | null
}

/** An address of the host as this browser reaches it. */
export const here = (apiBase: string, path: string): string =>
  new URL(path, new URL(apiBase || '/', location.href)).href

/** The same as others reach it. */
export const reachedAt = ({ apiBase, publicUrl }: Reached, path: string): string =>
  publicUrl === null ? here(apiBase, path) : new URL(path, publicUrl).href
