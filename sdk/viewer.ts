// Who makes a request, as the host's resolveViewer says.

/** The person or program that makes a request. */
export interface Viewer {
  /** `*` is the platform itself: all tenants. */
  readonly tenantId: string
  /** What the tenant is called: the shell shows it instead of the name of the installation. */
  readonly tenantName?: string
  /** `admin` may call admin routes; any other name is the host's own. */
  readonly role: string
  /** The person, as `<type>:<id>`. */
  readonly viewerRef?: string
  readonly email?: string
  /** Whether the address was proven to be the person's. Left out: not known, and clients get no claim about it. */
  readonly emailVerified?: boolean
  readonly name?: string
  /** When this person last proved who they are: a password, a key, not a renewed cookie. */
  readonly authTime?: Date
}
