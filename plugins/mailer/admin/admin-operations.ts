// Every operation of the admin API.
import type { Operation } from '@keelson/sdk'
import type { AdminHost } from './admin-operation.ts'
import { flowOperations } from './flow-operations.ts'
import { programOperations } from './program-operations.ts'
import { segmentOperations } from './segment-operations.ts'
import { setupOperations } from './setup-operations.ts'
import { templateOperations } from './template-operations.ts'

/** Every operation, by area. */
export const adminOperations: readonly Operation<AdminHost>[] = [
  ...templateOperations,
  ...flowOperations,
  ...programOperations,
  ...segmentOperations,
  ...setupOperations
]
