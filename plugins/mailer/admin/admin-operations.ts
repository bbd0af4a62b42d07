// Every operation of the admin API.
import type { Operation } from '@keelson/sdk'
import type { AdminHost } from './admin-operation.ts'
import { brandOperations } from './brand-operations.ts'
import { broadcastOperations } from './broadcast-operations.ts'
import { contactOperations } from './contact-operations.ts'
import { flowOperations } from './flow-operations.ts'
import { imageOperations } from './image-operations.ts'
import { recordOperations } from './record-operations.ts'
import { segmentOperations } from './segment-operations.ts'
import { setupOperations } from './setup-operations.ts'
import { suppressionOperations } from './suppression-operations.ts'
import { templateOperations } from './template-operations.ts'

/** Every operation, by area. */
export const adminOperations: readonly Operation<AdminHost>[] = [
  ...templateOperations,
  ...brandOperations,
  ...imageOperations,
  ...flowOperations,
  ...segmentOperations,
  ...setupOperations,
  ...broadcastOperations,
  ...contactOperations,
  ...recordOperations,
  ...suppressionOperations
]
