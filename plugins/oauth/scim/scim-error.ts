// The errors of SCIM (RFC 7644 §3.12), in one table.

type Row = readonly [status: number, scimType: string | undefined, detail: string]

/** `{…}` are slots. */
export const scimErrorTable = {
  busy: [409, undefined, 'The user was changed at the same time. Try again.'],
  conflict: [409, 'uniqueness', 'Another user has this {attribute}.'],
  filter: [400, 'invalidFilter', 'Only userName eq, externalId eq and id eq are supported.'],
  value: [400, 'invalidValue', '{attribute} {problem}.'],
  path: [400, 'invalidPath', 'The path {path} is not supported.'],
  noTarget: [400, 'noTarget', 'The path of a removal is missing.'],
  mutability: [400, 'mutability', '{attribute} cannot be changed.'],
  required: [400, 'mutability', '{attribute} cannot be removed: {problem}.'],
  syntax: [400, 'invalidSyntax', 'The body {problem}.'],
  tooMany: [429, undefined, 'Too many requests. Try again later.'],
  unauthorized: [401, undefined, 'The token is missing or not valid.'],
  notFound: [404, undefined, 'There is no such resource.'],
  method: [405, undefined, 'This address takes {methods}.'],
  off: [404, undefined, 'SCIM is off.'],
  notReady: [503, undefined, 'The server is starting.'],
  internal: [500, undefined, 'Something went wrong on the server.']
} as const satisfies Readonly<Record<string, Row>>

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** An error that is answered as itself. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    name: keyof typeof scimErrorTable,
    slots: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {}
  ) {
    const [status, scimType, detail]: Row = scimErrorTable[name]
    super(detail.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? ''))
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

/** The body of an error. */
export const scimErrorBody = ({ status, scimType, message }: ScimError): object => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail: message
})
