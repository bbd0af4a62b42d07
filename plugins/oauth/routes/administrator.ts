// The API as one administrator uses it: changes are audited with their id, address and request.
import type { FastifyRequest } from 'fastify'
import type { Journal } from '../audit/journal.ts'
import { type ClientStore, createClientStore } from '../clients/client-store.ts'
import {
  type ContextsApi,
  createContextsApi,
  createGrantsApi,
  createUsersApi,
  type GrantsApi,
  type UsersApi
} from '../grants/grants-api.ts'
import { originOf } from '../http/requests.ts'
import type { Services } from '../services.ts'

export interface Administrator {
  readonly clients: ClientStore
  readonly grants: GrantsApi
  readonly users: UsersApi
  readonly contexts: ContextsApi
  readonly journal: Journal
  /** Whether this administrator may end the access of a person, or erase them. */
  mayManage(userId: string): boolean
}

/** The administrator of a request. */
export interface AdministratorIdentity extends Pick<Administrator, 'mayManage'> {
  /** Undefined when it is not a person. */
  readonly actorId: string | undefined
}

export function administratorOf(
  { actorId, mayManage }: AdministratorIdentity,
  request: FastifyRequest,
  services: Services
): Administrator {
  const journal = services.journal.by({ actorId, ...originOf(request) })
  const signed = { ...services, journal }
  return {
    journal,
    mayManage,
    clients: createClientStore(signed),
    grants: createGrantsApi(signed),
    users: createUsersApi(signed),
    contexts: createContextsApi(signed)
  }
}
