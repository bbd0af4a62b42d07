// What can go wrong where plugins contribute routes to an admin API.
import { defineErrors, type ErrorTable } from '../errors.ts'

/** The rows of the errors of contributed admin routes. */
export const adminErrorTable = {
  KRN_ADMIN_ROUTE_TAKEN: {
    message: 'The admin route {route} is contributed by {plugin}, and {other} serves it already.',
    remedy: 'Give one of the routes another path, or switch one of the plugins off.',
    status: 500
  },
  KRN_ADMIN_ROUTE_PERMISSION: {
    message: 'The admin route {route} of {plugin} changes something and names no permission.',
    remedy: 'Add `permission` to the route: read, publish, sendBroadcasts or manageSuppressions.',
    status: 500
  },
  KRN_UPLOAD_REJECTED: {
    message: 'The upload is too large: at most {maxFiles} files of {maxFileBytes} bytes each.',
    remedy: 'Send fewer or smaller files.',
    status: 413
  }
} as const satisfies ErrorTable

export const adminErrors = defineErrors(adminErrorTable)
