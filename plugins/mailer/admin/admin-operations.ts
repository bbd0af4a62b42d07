// Every operation of the admin API.
import type { Operation } from '@keelson/sdk'
import type { AdminHost } from './admin-operation.ts'
import { templateOperations } from './template-operations.ts'

/** Every operation, by area. */
export const adminOperations: readonly Operation<AdminHost>[] = [...templateOperations]
