// Every operation of the agent API, in the order that discovery lists them, and those of its administration.
import type { Operation } from '@keelson/sdk'
import type { AgentHost } from '../agent-host.ts'
import { type MailerSchemas, namedSchemas } from '../answers/mailer-schemas.ts'
import { broadcastOperations } from './broadcast-operations.ts'
import { canaryOperation } from './canary-operation.ts'
import { contactOperations } from './contact-operations.ts'
import { flowOperations } from './flow-operations.ts'
import { openSendOperations } from './open-send-operations.ts'
import { preflightOperation } from './preflight-operation.ts'
import { runOperations } from './run-operations.ts'
import { sendOperations } from './send-operations.ts'
import { serviceOperations } from './service-operations.ts'
import { simulateManyOperation } from './simulate-many-operation.ts'
import { simulateOperations } from './simulate-operations.ts'
import { statusOperations } from './status-operations.ts'
import { templateOperations } from './template-operations.ts'
import { tokenOperations } from './token-operations.ts'
import { verifyOperations } from './verify-operations.ts'

/** Routes, discovery and tools are made from these. */
export const agentOperationsWith = (mailer: MailerSchemas): readonly Operation<AgentHost>[] => [
  ...templateOperations(mailer),
  ...verifyOperations,
  ...sendOperations,
  ...openSendOperations(mailer),
  ...simulateOperations,
  simulateManyOperation,
  canaryOperation,
  preflightOperation,
  ...flowOperations,
  ...runOperations,
  ...contactOperations,
  ...broadcastOperations(mailer),
  ...serviceOperations,
  ...statusOperations(mailer)
]

/** The same before the mailer is there: what they are, with the names of its schemas in them. */
export const agentOperations: readonly Operation<AgentHost>[] = agentOperationsWith(namedSchemas)

/** With those of administrators: what plugin.json lists. */
export const declaredOperations: readonly Operation<never>[] = [
  ...agentOperations,
  ...tokenOperations
]
