// The errors of programmers, operators and administrators, in one table. Those of the protocol are in oauth-errors.ts.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  OAU_CONFIG_INVALID: {
    message: 'The OAuth configuration is invalid: {path} {problem}.',
    remedy: 'Correct that setting.',
    status: 500
  },
  OAU_SIGNING_KEY_INVALID: {
    message: 'The signing key {kid} cannot be used: {problem}.',
    remedy:
      'Give a PKCS#8 PEM: an EC key on P-256 for ES256, or RSA of 2048 bits or more for RS256.',
    status: 500
  },
  OAU_NO_SIGNING_KEY: {
    message: 'There is no active key to sign with {alg}.',
    remedy: 'Configure signing.keys, or set signing.autoGenerate, and leave one key active.',
    status: 500
  },
  OAU_USER_ID_INVALID: {
    message: 'The id of a person is {problem}.',
    remedy:
      'Give resolveUser, loadUser and the calls for people an id: text, a whole number, or an ObjectId.',
    status: 500
  },
  OAU_PROTECT_INVALID: {
    message: 'protect() was called with {problem}.',
    remedy: 'Name a configured resource and scopes of the catalogue.',
    status: 500
  },
  OAU_CLIENT_INVALID: {
    message: 'The client is invalid: {path} {problem}.',
    remedy: 'Correct that value.',
    status: 400
  },
  OAU_CLIENT_UNKNOWN: {
    message: 'There is no client {clientId}.',
    remedy: 'List the clients and take an id from there.',
    status: 404
  },
  OAU_CLIENT_NO_SECRET: {
    message: 'The client {clientId} has no secret to rotate.',
    remedy: 'Only clients that authenticate with a secret have one.',
    status: 400
  },
  OAU_REQUEST_INVALID: {
    message: 'The request is invalid: {path} {problem}.',
    remedy: 'Correct that field.',
    status: 400
  },
  OAU_PLATFORM_ONLY: {
    message: '{what} is for administrators of the platform.',
    remedy: 'Ask an administrator of the platform.',
    status: 403
  },
  OAU_OWNER_FOREIGN: {
    message: 'The service account has the rights of {owner}.',
    remedy:
      'Let its owner change it, or an administrator of the platform; own your accounts yourself.',
    status: 403
  },
  OAU_KEY_UNKNOWN: {
    message: 'There is no retiring key {kid}.',
    remedy: 'List the keys. An active key retires when a new one is made.',
    status: 404
  },
  OAU_PERSON_FOREIGN: {
    message: 'The person {userId} belongs to another tenant.',
    remedy: 'Ask an administrator of that tenant or of the platform.',
    status: 403
  },
  OAU_PERSON_UNKNOWN: {
    message: 'There is no person {userId}.',
    remedy: 'Take the id from the list of grants or the audit.',
    status: 404
  },
  OAU_GRANT_FOREIGN: {
    message: 'The grant {id} is that of a person of another tenant.',
    remedy: 'Ask an administrator of that tenant or of the platform.',
    status: 403
  },
  OAU_CLIENT_SHARED: {
    message: 'People of other tenants use the client {clientId}.',
    remedy: 'End the access of your own people, or ask an administrator of the platform.',
    status: 403
  },
  OAU_NOT_READY: {
    message: 'The OAuth host was asked to write before syncIndexes() resolved.',
    remedy: 'Await syncIndexes() at start.',
    status: 503
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
