// What is kept of a user of SCIM (RFC 7643 §4.1).

export interface ScimName {
  readonly formatted?: string
  readonly familyName?: string
  readonly givenName?: string
}

export interface ScimEmail {
  readonly value: string
  readonly type?: string
  readonly primary?: boolean
}

/** What is kept of a user. */
export interface ScimUser {
  readonly userName: string
  readonly externalId?: string
  readonly displayName?: string
  readonly name?: ScimName
  readonly emails?: readonly ScimEmail[]
  readonly active: boolean
}
