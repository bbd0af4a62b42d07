// What the server says about the document: the config blob in its head.

export interface ShellConfig {
  /** Mount that this document was served for. */
  readonly mountPath: string
  readonly apiBase: string
  readonly title: string
  /** `alone`: a page without the navigation. */
  readonly view: 'shell' | 'sign-in' | 'alone'
  /** Status of the document: 200, 403 or 404. */
  readonly status: number
  /** Words below the sign-in form. */
  readonly hint?: string
}

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
