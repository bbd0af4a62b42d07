// Every operation of OAuth's own API. None of their answers stays in a cache.
import { answered, isRefused, type Operation } from '@keelson/sdk'
import { SEALED } from '../http/answers.ts'
import { accessOperations } from './access-operations.ts'
import type { AdminHost } from './administrator.ts'
import { clientOperations } from './client-operations.ts'
import { hostOperations } from './host-operations.ts'
import { type MyGrantsHost, myGrantsOperations } from './my-grants-operations.ts'
import { serverOperations } from './server-operations.ts'
import { tenantOperations } from './tenant-operations.ts'

/** They answer personal data or secrets. */
const sealed = <H>(operation: Operation<H>): Operation<H> => ({
  ...operation,
  async run(input, call) {
    const result = await operation.run(input, call)
    return isRefused(result) ? result : answered(result, { headers: SEALED })
  }
})

/** For administrators. */
export const administration: readonly Operation<AdminHost>[] = [
  ...clientOperations,
  ...accessOperations,
  ...hostOperations,
  ...serverOperations,
  ...tenantOperations
].map(sealed)

/** For people. */
export const ownAccess: readonly Operation<MyGrantsHost>[] = myGrantsOperations.map(sealed)
