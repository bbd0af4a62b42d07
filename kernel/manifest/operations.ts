// Declared operations and those of the code must be the same.
import {
  type KeelsonError,
  type Manifest,
  operationDrift,
  type PluginDefinition
} from '@keelson/sdk'
import { errors } from '../errors/errors.ts'

/** What plugin.json and the code say differently about operations; a definition of an older SDK has none. */
export function operationProblems(
  { id: plugin, routes = [] }: Manifest,
  { operations = [] }: Partial<Pick<PluginDefinition, 'operations'>>
): KeelsonError[] {
  return operationDrift(routes, operations).map(({ id: operation, path, problem }) =>
    errors.KRN_OPERATION_DRIFT({ plugin, path, operation, problem })
  )
}
