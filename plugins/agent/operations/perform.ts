// Runs an operation for an HTTP request or an MCP tool call: checks access and values, runs it, writes the audit.
import { KeelsonError } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { accessRefusal } from '../tokens/decide-access.ts'
import {
  inputFault,
  type Operation,
  type OperationAnswer,
  type OperationCall,
  paramsOf
} from './operation.ts'

/** Faults of the caller are refusals; everything else is one refusal, and a line of the log. */
export async function perform(
  operation: Operation,
  call: OperationCall,
  log: FastifyBaseLogger
): Promise<OperationAnswer | Refusal> {
  const { caller, params, body, acting, agent } = call
  const denied = accessRefusal(caller, { scope: operation.scope, path: addressOf(operation, call) })
  if (denied !== undefined) return refused(denied)
  const fault = inputFault(operation, call)
  if (fault !== undefined) return fault
  try {
    const result = await operation.run(call)
    if (result.ok && operation.audit !== undefined) {
      const id = Object.values(params)[0] ?? String(body['externalId'] ?? '')
      const resource = { collection: 'agent', ...(id !== '' && { id }) }
      await agent.context.core.audit({ ...acting, action: operation.audit, resource })
    }
    return result
  } catch (error) {
    return faultOf(error, log)
  }
}

/** What went wrong, as callers see it. */
export function faultOf(error: unknown, log: FastifyBaseLogger): Refusal {
  if (KeelsonError.is(error) && error.code === 'MLR_INPUT_INVALID') {
    const { path = '', problem = '' } = error.details as { path?: string; problem?: string }
    const fields = [{ path, message: problem }]
    return refused('validation_failed', { message: error.message, more: { fields } })
  }
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string }
  if (statusCode >= 400 && statusCode < 500) {
    if (statusCode === 400) return refused('validation_failed', { message })
    const known = KeelsonError.is(error) ? error : undefined
    const fix = known === undefined ? {} : { fix: known.remedy }
    const refusal = refusedAs(known?.code ?? 'request_refused', message, {
      status: statusCode,
      ...fix
    })
    return { ...refusal, status: statusCode }
  }
  log.error({ err: error }, 'agent: an operation failed')
  return refused('internal_error')
}

/** The address of the call below the mount. */
function addressOf({ path }: Operation, { params }: OperationCall): string {
  return paramsOf(path).reduce(
    (address, name) => address.replace(`:${name}`, encodeURIComponent(String(params[name]))),
    path
  )
}
