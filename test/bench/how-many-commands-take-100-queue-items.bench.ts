// Database commands for claiming and finishing 100 queue items, counted by command monitoring.

import { kernelOf } from '@keelson/kernel'
import { definePlugin, type Queue } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import type { CommandStartedEvent } from 'mongodb'
import { printFigure } from './measure.ts'

const ITEMS = 100
let queue: Queue | undefined
let handled = 0

const plugin = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'counted',
    name: 'Counted',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Counts commands.',
    license: 'MIT',
    collections: [{ name: 'counted_items', indexes: [] }],
    queues: [{ name: 'items', collection: 'counted_items', batch: ITEMS }]
  },
  register(host) {
    queue = host.queue('items', () => {
      handled++
    })
  }
})

const host = await createTestHost({ plugin })
await queue?.add(Array.from({ length: ITEMS }, (_, number) => ({ _id: `item-${number}` })))
const commands: string[] = []
host.db.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
  if (command[commandName] === 'counted_items') commands.push(commandName)
})
await kernelOf(host.app).schedule.runDue(host.clock.now())
if (handled !== ITEMS) throw new Error(`${handled} of ${ITEMS} items were handled`)
printFigure(`commands for ${ITEMS} items`, commands.length, { atMost: 4 }, commands.join(' '))
await host.close()
