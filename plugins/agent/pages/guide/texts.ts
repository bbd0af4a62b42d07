// English of the guide page.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'guide.title': 'Connect an assistant',
  'guide.text':
    'Assistants such as Claude or Cursor reach this platform over MCP. They verify templates, simulate flows and send test mail, and never reach your recipients on their own.',
  'guide.mailNeedsAdmin':
    'Mail tools are for administrators of the mailer. An assistant that signs in as you can use the other tools.',
  'guide.noTestContacts':
    'No test contacts are configured, so tools that send mail or change a contact are refused. Set testContacts in the config of the agent plugin.',
  'guide.address': 'MCP address',
  'guide.copyAddress': 'Copy the MCP address',
  'guide.copy': 'Copy',
  'guide.check': 'Check the endpoint',
  'guide.checking': 'Checking the endpoint…',
  'guide.answers': 'The endpoint answers and asks for a token.',
  'guide.unexpected': 'The endpoint answered with status {status}; 401 was expected.',
  'guide.unreachable': 'The endpoint does not answer.',
  'guide.unreachableFix':
    'Check that the host runs and that a proxy in front of it passes this path on.',
  'guide.checkAgain': 'Check again',
  'guide.signsIn': 'Access tokens come from {issuer}.',
  'guide.settings': 'Settings',
  'guide.assistants': 'Assistants',
  'guide.signInWays': 'Ways to sign in',
  'guide.oauth': 'Sign in (OAuth)',
  'guide.token': 'Agent token',
  'guide.oauthText':
    'You sign in with your browser and choose what the assistant may do. It acts as you: the audit log names the assistant and you. End its access at any time under Connected apps.',
  'guide.tokenText':
    'For programs that run without a person, such as deploy scripts. An operator adds a token to the config of the agent plugin, with its scopes and an expiry date. Keep it out of version control.',
  'guide.noSignIn':
    'People cannot sign in to this endpoint: the OAuth plugin does not run, or does not have it as a resource. Use an agent token.',
  'guide.clientId':
    'This platform does not register assistants by itself. If yours cannot sign in, an administrator makes a client for it under OAuth > Clients and you enter its ID.',
  'guide.client.claude-code': 'Claude Code',
  'guide.client.claude-desktop': 'Claude Desktop',
  'guide.client.cursor': 'Cursor',
  'guide.client.vscode': 'VS Code',
  'guide.client.other': 'Other',
  'guide.where.terminal': 'In a terminal',
  'guide.where.mcpJson': 'Or for a project: .mcp.json',
  'guide.where.connector': 'Remote MCP server URL',
  'guide.where.desktopJson': 'claude_desktop_config.json',
  'guide.where.cursorJson': '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
  'guide.where.vscodeJson': '.vscode/mcp.json',
  'guide.where.withClientId': 'With a client ID',
  'guide.then.claude-code.oauth':
    'Then run /mcp in Claude Code, choose the server and authenticate.',
  'guide.then.claude-code.token':
    'Set AGENT_TOKEN in the environment first. /mcp shows the connection.',
  'guide.then.claude-desktop.oauth':
    'Open Settings > Connectors, choose Add custom connector and paste the address. Then choose Connect and sign in.',
  'guide.then.claude-desktop.local':
    'Connectors cannot reach an address of this machine, so mcp-remote connects (needs Node.js). Restart Claude Desktop; a browser opens to sign in.',
  'guide.then.claude-desktop.token':
    'Connectors take no token, so mcp-remote sends it (needs Node.js). Restart Claude Desktop after the change.',
  'guide.then.cursor.oauth':
    'Open Cursor Settings > MCP and choose Connect; a browser opens to sign in.',
  'guide.then.cursor.token': 'Set AGENT_TOKEN in the environment, then restart Cursor.',
  'guide.then.vscode.oauth': 'Start the server from the file; VS Code opens a browser to sign in.',
  'guide.then.vscode.token': 'VS Code asks for the token when the server starts, and keeps it.',
  'guide.then.other.oauth':
    'Choose Streamable HTTP and enter the address. Clients find the sign-in by themselves from the 401 answer. This request starts a session:',
  'guide.then.other.token':
    'Choose Streamable HTTP, enter the address and send the token as a bearer token. This request starts a session:',
  'guide.scopes': 'What assistants may do',
  'guide.scope.mail:read':
    'Read templates, flows, sends, contacts and status. Verify, preview, simulate and preflight. Sends and changes nothing.',
  'guide.scope.mail:write':
    'Publish templates, mail test contacts, tag and reset them, gate and arm flows, and run broadcasts to subscribed contacts. Assistants ask for this when a tool needs it.',
  'guide.scope.other': 'Tools of other plugins, with what you may see yourself.',
  'guide.notForTokens': 'not for agent tokens',
  'guide.tools': { one: '{count} tool', other: '{count} tools' },
  'guide.prompts': 'First prompts',
  'guide.prompt.1': 'Which flows and templates does the mailer have, and which flows are on?',
  'guide.prompt.2':
    'Verify every published template for the contact {contact}, and list what fails.',
  'guide.prompt.3':
    'Simulate the flow {flow} for 1,000 synthetic contacts over 30 days. How many mails go out per day?',
  'guide.prompt.4':
    'Send the template {template} to the test contact {contact}, and wait until it is delivered.',
  'guide.prompt.5':
    'Take the flow {flow} live safely: preflight, canary with a test contact, then ask me before you arm it.',
  'guide.example.contact': 'CONTACT_ID',
  'guide.example.flow': 'FLOW_SLUG',
  'guide.example.template': 'TEMPLATE_SLUG',
  'guide.boundary': 'What stays out of reach',
  'guide.boundary.1':
    'Sends, events, tags, resets and unsubscribe links act on test contacts alone: those whose address matches testContacts.',
  'guide.boundary.2': 'Suppressions can be added and not removed, except for test contacts.',
  'guide.boundary.3':
    'Broadcasts need a segment of subscribed contacts, and the exact number of recipients as confirmation.',
  'guide.boundary.4':
    'Arming a flow needs an explicit confirmation; contacts of the past do not enter.',
  'guide.boundary.5':
    'Every change is in the audit log, with the assistant and the person or token.'
}

/** Adds the texts; cheap to call again. */
export function registerGuideTexts(): void {
  registerCatalog('en', texts)
}
