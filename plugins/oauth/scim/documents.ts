// What SCIM says of itself (RFC 7643 §5 to §7, RFC 7644 §4). Pure.
import { USER_SCHEMA } from './user.ts'

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Most users of one answer. */
export const MAX_RESULTS = 200

/** A document with an id. */
export interface ScimDocument {
  readonly id: string
  readonly [more: string]: unknown
}

export const listOf = (
  resources: readonly object[],
  { total = resources.length, startIndex = 1 }: { total?: number; startIndex?: number } = {}
): object => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources
})

export const serviceProviderConfig = (base: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that the operator of this server gave out.',
      primary: true
    }
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` }
})

export const resourceTypes = (base: string): readonly ScimDocument[] => [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'People who have access',
    schema: USER_SCHEMA,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` }
  }
]

const IMMUTABLE = { mutability: 'immutable' }

const attribute = (name: string, description: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more
})

/** `subject`: the attribute that names the person. */
export const userSchemas = (
  base: string,
  subject: 'userName' | 'externalId' = 'userName'
): readonly ScimDocument[] => [
  {
    schemas: [SCHEMA],
    id: USER_SCHEMA,
    name: 'User',
    description: 'A person',
    attributes: [
      attribute('userName', 'Name that the person signs in with.', {
        required: true,
        uniqueness: 'server',
        ...(subject === 'userName' && IMMUTABLE)
      }),
      attribute('externalId', 'Id of the user at the identity provider.', {
        caseExact: true,
        uniqueness: 'server',
        ...(subject === 'externalId' && { required: true, ...IMMUTABLE })
      }),
      attribute('displayName', 'Name for other people.'),
      attribute('name', 'Parts of the name.', {
        type: 'complex',
        subAttributes: [
          attribute('formatted', 'The whole name.'),
          attribute('familyName', 'Family name.'),
          attribute('givenName', 'Given name.')
        ]
      }),
      attribute('emails', 'Email addresses.', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'The address.'),
          attribute('type', 'work, home or other.'),
          attribute('primary', 'Whether it is the one to use.', { type: 'boolean' })
        ]
      }),
      attribute('active', 'False ends all access of the person.', { type: 'boolean' })
    ],
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` }
  }
]
