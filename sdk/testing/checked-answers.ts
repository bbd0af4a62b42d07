// Holds the answers of contributed admin routes to their response schemas.
import { schemaFault } from '@keelson/sdk'
import type { AdminAnswer, AdminApi, AdminRoute } from '@keelson/sdk/contracts/mailer-admin-api'

/** The same routes, failing where an answer does not fit the schema of its status. */
export function checkedRoutes(api: AdminApi): AdminApi {
  return { ...api, routes: (api.routes ?? []).map(checkedRoute) }
}

function checkedRoute(route: AdminRoute): AdminRoute {
  return {
    ...route,
    async handler(call) {
      const answer = await route.handler(call)
      checkAnswer(route, answer)
      return answer
    }
  }
}

function checkAnswer({ method, path, schema }: AdminRoute, { status, body }: AdminAnswer): void {
  const described = schema?.response?.[status ?? (body === undefined ? 204 : 200)]
  if (described === undefined) return
  // As a client gets it: dates are strings.
  const fault = schemaFault(described, JSON.parse(JSON.stringify(body ?? null)))
  if (fault === undefined) return
  throw new TypeError(
    `The answer of ${method} ${path} does not fit: ${fault.path} ${fault.problem}`
  )
}
