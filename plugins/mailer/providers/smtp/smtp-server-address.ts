// The address of an SMTP server: where it is, and when a connection to it must be encrypted.
import { invalidProvider } from '../provider-errors.ts'

/** How a server is reached. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  readonly tls: { readonly ca?: string; readonly minVersion: 'TLSv1.2' }
}

/** What the address does not say. */
export interface SmtpTls {
  /** Default: true with a password, unless the server is on this machine. */
  readonly requireTls?: boolean | undefined
  /** PEM of further certificate authorities. */
  readonly ca?: string | undefined
}

/**
 * `smtps://` is TLS from the first byte (port 465), `smtp://` upgrades by STARTTLS when the server offers it
 * (port 587). A password never leaves this machine unencrypted. A server on this machine is not asked for TLS
 * unless `requireTls` says so: its certificate would be self-signed.
 *
 * @throws MLR_PROVIDER_INVALID
 */
export function smtpServer(provider: string, url: string, options: SmtpTls = {}): SmtpServer {
  const address = URL.canParse(url) ? new URL(url) : undefined
  const isSmtp = address?.protocol === 'smtp:' || address?.protocol === 'smtps:'
  if (!isSmtp || address.hostname === '')
    throw invalidProvider(provider, 'url', 'must be smtp://… or smtps://…')
  if (address.search !== '' || address.hash !== '' || !['', '/'].includes(address.pathname))
    throw invalidProvider(provider, 'url', 'must end after the port')
  const secure = address.protocol === 'smtps:'
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const isLocal = /^(localhost|127(\.\d+){3}|::1)$/.test(host)
  const hasPassword = address.password !== ''
  const { requireTls = hasPassword && !isLocal, ca } = options
  const [user, pass] = [address.username, address.password].map((part) => decoded(provider, part))
  return {
    host,
    port: address.port === '' ? (secure ? 465 : 587) : Number(address.port),
    secure,
    requireTLS: requireTls,
    ignoreTLS: isLocal && !requireTls,
    ...(user && { auth: { user, pass: pass ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) }
  }
}

function decoded(provider: string, part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidProvider(provider, 'url', 'must have user and password percent-encoded')
  }
}
