// The operations of the agent API that act on test contacts alone, as discovery and tools say.

/** By id. Each holds the boundary in its own code. */
export const TEST_CONTACTS_ONLY: ReadonlySet<string> = new Set([
  'agent.templates.send',
  'agent.sends.dispatch',
  'agent.flows.runCanary',
  'agent.events.fire',
  'agent.runs.advance',
  'agent.contacts.subscribe',
  'agent.contacts.unsubscribe',
  'agent.contacts.changeTags',
  'agent.contacts.readUnsubscribeUrl',
  'agent.contacts.reset',
  'agent.broadcasts.sendTest'
])
