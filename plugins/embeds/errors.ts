// Every word that the API refuses a call with: what is wrong, and what to do.
import { defineRefusals } from '@keelson/sdk'

export const refusals = defineRefusals({
  page_not_shared: {
    status: 404,
    message: 'There is no such page that may be shared.',
    fix: 'Use a plugin and a page that GET /embeds/api/pages lists.'
  },
  other_tenant: {
    status: 403,
    message: 'This tenant is not yours.',
    fix: 'Leave `tenantId` out, or name your own tenant.'
  },
  tenant_missing: {
    status: 400,
    message: 'A token is of one tenant.',
    fix: 'Name it in `tenantId`: you see all tenants.'
  },
  query_not_taken: {
    status: 400,
    message: 'This page cannot be shared with these parameters.',
    fix: 'Give `query` for a page with `varies` in GET /embeds/api/pages alone, without the parameters that are named there.'
  },
  grant_not_found: {
    status: 404,
    message: 'The grant was not found.',
    fix: 'Use an id that GET /embeds/api/grants lists.'
  }
})
