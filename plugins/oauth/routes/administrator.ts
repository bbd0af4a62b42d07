// The API as one administrator uses it: changes are audited with their id, address and request.
import type { Viewer } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import type { Journal } from '../audit/journal.ts'
import { type ClientStore, createClientStore } from '../clients/client-store.ts'
import { createGrantsApi, type GrantsApi } from '../grants/grants-api.ts'
import { originOf } from '../http/requests.ts'
import type { Services } from '../services.ts'
import { userIdOf } from '../users/claims.ts'
import { userOfViewer } from '../viewers.ts'

export interface Administrator {
  readonly clients: ClientStore
  readonly grants: GrantsApi
  readonly journal: Journal
}

export function administratorOf(
  viewer: Viewer,
  request: FastifyRequest,
  services: Services
): Administrator {
  const person = userOfViewer(viewer)
  const actorId = person === null ? viewer.viewerRef : userIdOf(person)
  const journal = services.journal.by({ actorId, ...originOf(request) })
  const signed = { ...services, journal }
  return { journal, clients: createClientStore(signed), grants: createGrantsApi(signed) }
}
