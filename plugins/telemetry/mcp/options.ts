// What createMcpTools takes.

import type { Queries } from '../queries/queries.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Redact } from './redact.ts'
import type { ReportSpec } from './reports.ts'

export interface McpToolsOptions {
  readonly telemetry: Telemetry
  /** Default: new ones. */
  readonly queries?: Queries
  /** Default true: `data` of records reads `[redacted]`. A function changes records as it likes. */
  readonly redact?: boolean | Redact
  /** Reports beside the saved and derived ones. */
  readonly reports?: readonly ReportSpec[]
  /** Labels of subject refs, added to answers that hold records. */
  readonly describe?: (refs: readonly string[]) => Promise<Readonly<Record<string, unknown>>>
}
