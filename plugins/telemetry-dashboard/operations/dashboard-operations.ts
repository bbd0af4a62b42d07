// All operations of the dashboard. What the store throws at them is answered in the words of the API.
import type { Operation } from '@keelson/sdk'
import { dashboardRefusals, refusalOfThrown } from '../refusals.ts'
import { alertOperations } from './alert-operations.ts'
import type { DashboardHost } from './dashboard-operation.ts'
import { describeSubjects } from './describe-subjects.ts'
import { eventPeopleOperations } from './event-people-operations.ts'
import { groupOperations } from './group-operations.ts'
import { metricOperations } from './metric-operations.ts'
import { readOperations } from './read-operations.ts'
import { systemOperations } from './system-operations.ts'
import { viewOperations } from './view-operations.ts'

const answering = (operation: Operation<DashboardHost>): Operation<DashboardHost> => ({
  ...operation,
  errors: { ...operation.errors, ...dashboardRefusals.table },
  async run(input, call) {
    try {
      return await operation.run(input, call)
    } catch (error) {
      return refusalOfThrown(error, call.log)
    }
  }
})

export const dashboardOperations: readonly Operation<DashboardHost>[] = [
  ...readOperations,
  ...groupOperations,
  ...metricOperations,
  ...eventPeopleOperations,
  describeSubjects,
  ...viewOperations,
  ...systemOperations,
  ...alertOperations
].map(answering)
