// whoami: lets a client find out for whom it acts.
import { PLATFORM_ICON } from './icons.ts'
import { type ServedTool, structured } from './served-tool.ts'

/** For any valid token. */
export const whoamiTool: ServedTool = {
  listed: {
    name: 'whoami',
    title: 'Who am I',
    description: 'Whom the token acts for, and what it may do.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: {
        actor: { type: 'string' },
        scopes: { type: 'array', items: { type: 'string' } }
      },
      required: ['actor', 'scopes']
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    icons: [PLATFORM_ICON]
  },
  scopes: [],
  isFor: () => true,
  needsPerson: false,
  isLong: false,
  run: async (_args, { caller: { actor, scopes }, access }) =>
    structured({
      actor,
      scopes,
      ...(access !== undefined && { userId: access.userId, clientId: access.clientId })
    })
}
