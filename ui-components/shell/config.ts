// Reads what the server says about the document: the config blob in its head.
import type { ShellConfig } from './shell-config.ts'

const FALLBACK: ShellConfig = {
  mountPath: '/',
  apiBase: '/api',
  title: 'Keelson',
  view: 'shell',
  status: 200
}

/** Reads the blob; a document without one is treated as the start page. */
export function readShellConfig(root: ParentNode): ShellConfig {
  const text = root.querySelector('script[type="application/json"]#keelson-config')?.textContent
  if (text === undefined || text === null) return FALLBACK
  return { ...FALLBACK, ...(JSON.parse(text) as Partial<ShellConfig>) }
}

/** The start of what the shell shows: a standalone shell has only its own mount. */
export function homeOf({ nav, mountPath, start = '/' }: ShellConfig): string {
  return nav === undefined ? start : mountPath || '/'
}

/** The sign-in page, with the current address to return to; undefined when it is not configured. */
export function signInHref({ signIn }: ShellConfig): string | undefined {
  if (signIn === undefined) return undefined
  const next = encodeURIComponent(`${location.pathname}${location.search}`)
  return `${signIn}${signIn.includes('?') ? '&' : '?'}next=${next}`
}
