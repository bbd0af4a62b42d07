// Whether the database can take writes, as the driver last saw it.
import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'

const WRITABLE = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

/** Watches a client from before it connects; the answer costs nothing. */
export function watchReachability(client: MongoClient): () => boolean {
  let isReachable = false
  client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => {
    const servers = [...event.newDescription.servers.values()]
    isReachable = servers.some((server) => WRITABLE.has(server.type))
  })
  return () => isReachable
}
