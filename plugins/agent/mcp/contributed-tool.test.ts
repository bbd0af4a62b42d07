// Tools of other plugins, as the MCP server lists them.
import { test } from 'tap'
import { contributedTool } from './contributed-tool.ts'
import { iconOf, PLATFORM_ICON } from './icons.ts'

const tool = {
  name: 'count_orders',
  title: 'Count orders',
  description: 'Counts the orders of a region.',
  annotations: { readOnlyHint: true },
  scopes: ['orders:read'],
  handler: async () => ({})
}

test('an argument is not promised to be read from a header', async (t) => {
  const region = { type: 'string', description: 'Such as eu.' }
  const promising = { ...region, 'x-mcp-header': 'Region' }
  const inputSchema = (one: object) => ({
    type: 'object',
    properties: { region: one, place: { type: 'object', properties: { region: one } } },
    $defs: { region: one }
  })
  t.same(
    contributedTool({ ...tool, inputSchema: inputSchema(promising) }).listed.inputSchema,
    inputSchema(region)
  )
})

test('a tool without an icon has that of the platform', async (t) => {
  const listed = (icon?: string) =>
    contributedTool({ ...tool, inputSchema: { type: 'object' }, ...(icon && { icon }) }).listed
  t.same(listed().icons, [PLATFORM_ICON])
  t.same(listed('<svg />').icons, [iconOf('<svg />')])
})
