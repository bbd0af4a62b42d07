// Every operation of the DMARC plugin, in the mailer's admin API.

import { askingFirst } from '@keelson/mailer/contracts'
import type { Operation } from '@keelson/sdk'
import type { DnsContext } from '../monitoring/check-dns.ts'
import { monitoringOperations } from './monitoring-operations.ts'
import { readReadinessOperation } from './readiness-operation.ts'
import { reportOperations } from './report-operations.ts'
import { sourceOperations } from './source-operations.ts'
import { uploadReport } from './upload-operation.ts'

/** The operations of the plugin. */
export const dmarcOperations: readonly Operation<DnsContext>[] = askingFirst(
  [
    ...reportOperations,
    uploadReport,
    ...sourceOperations,
    ...monitoringOperations,
    readReadinessOperation
  ],
  ({ mailer }) => mailer
)
