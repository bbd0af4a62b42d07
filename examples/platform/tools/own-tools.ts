// The two tools of the demo itself: who am I, and a sample mail.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { type ServedTool, structured, textOf } from './served-tool.ts'

export interface SampleMail {
  readonly to: string
  readonly userId: string
  readonly clientId: string
  readonly at: Date
}

const whoami: ServedTool = {
  name: 'whoami',
  description: 'Who the access token speaks for, and what it may do.',
  inputSchema: { type: 'object', properties: {} },
  scopes: ['telemetry:read'],
  run: async (_args, { access: { userId, clientId, scopes } }) =>
    structured({ userId, clientId, scopes: [...scopes] })
}

const sendSample = (keep: (sample: Omit<SampleMail, 'at'>) => Promise<unknown>): ServedTool => ({
  name: 'send_sample',
  description: 'Keeps a sample mail for a day, in the name of the person who granted access.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', format: 'email', maxLength: 254 } },
    required: ['to']
  },
  scopes: ['mail:write'],
  async run({ to }, { access: { userId, clientId } }) {
    if (typeof to !== 'string' || to.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(to)) {
      throw new McpError(ErrorCode.InvalidParams, '`to` must be an email address.')
    }
    await keep({ to, userId, clientId })
    return textOf(`Kept for ${to}.`)
  }
})

/** `keep` stores a sample mail. */
export const ownTools = (
  keep: (sample: Omit<SampleMail, 'at'>) => Promise<unknown>
): readonly ServedTool[] => [whoami, sendSample(keep)]
