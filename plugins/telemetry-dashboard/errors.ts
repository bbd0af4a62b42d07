// Every error the dashboard package raises, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  TDB_VIEWER_ADAPTER_MISSING: {
    message:
      'createDashboard was called without viewerAdapter: an unauthenticated telemetry dashboard is a data leak.',
    remedy:
      'Give viewerAdapter: { resolveViewer(request) }, which answers who is looking, or null.',
    status: 500
  },
  TDB_TELEMETRY_MISSING: {
    message: 'createDashboard was called without the telemetry instance that it reads.',
    remedy: 'Give telemetry: the result of createTelemetry.',
    status: 500
  },
  TDB_OPTION_INVALID: {
    message: 'createDashboard was called with {option} as {value}, which must be {expected}.',
    remedy: 'Correct or leave out that option.',
    status: 500
  },
  TDB_MOUNT_PATH_INVALID: {
    message: 'createDashboard was called with mountPath {mountPath}, which is not a path.',
    remedy: 'Give the path at which the browser sees the dashboard, such as /telemetry.',
    status: 500
  },
  TDB_VIEWS_MISSING: {
    message: 'The telemetry instance has no collection for saved views.',
    remedy:
      'Give createDashboard what createTelemetry returns; under the kernel, enable the plugin.',
    status: 500
  },
  TDB_LIMIT_INVALID: {
    message: 'createDashboard was called with queryLimits.{name} as {value}.',
    remedy: 'Give a whole number from 1 on, for one of the reads that the README lists.',
    status: 500
  },
  TDB_VIEW_INVALID: {
    message: 'The configured view {name} is wrong: {problem}.',
    remedy: 'Correct it in the option views.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
