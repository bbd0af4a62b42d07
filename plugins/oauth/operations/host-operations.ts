// Administration of the hosts that metadata documents of clients may come from.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { BODY_LIMIT } from '../routes/route.ts'
import { administrator, id } from './admin-operation.ts'
import type { AdminHost, Administrator } from './administrator.ts'
import { hostsAnswer } from './answers.ts'

const answerOf = async (host: AdminHost, { people }: Administrator) => ({
  isAny: host.hosts.isAny,
  configured: host.settings.metadataClients?.allowedHosts ?? [],
  added: await host.hosts.added(),
  mayChange: people.isEverybody
})

const list = operation({
  id: 'oauth.hosts.list',
  method: 'GET',
  path: '/admin/metadata-hosts',
  summary: 'Hosts that metadata documents of clients may come from',
  access: administrator,
  effect: 'read',
  answer: hostsAnswer,
  run: async (_input, { host, actor }: Call<AdminHost>) =>
    answerOf(host, await host.administratorOf(actor))
})

const allow = operation({
  id: 'oauth.hosts.allow',
  method: 'POST',
  path: '/admin/metadata-hosts',
  summary: 'Allows metadata documents of a host',
  access: administrator,
  effect: 'release',
  hints: { idempotent: true },
  bodyLimit: BODY_LIMIT,
  body: Type.Object(
    { host: Type.String({ minLength: 1, maxLength: 260, description: 'host or host:port' }) },
    { additionalProperties: false }
  ),
  answer: hostsAnswer,
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    by.checkPlatform('The list of hosts')
    await host.hosts.allow(body.host)
    await by.journal.audit('oauth.host_allowed', { actor: 'admin', meta: { host: body.host } })
    return answerOf(host, by)
  }
})

const remove = operation({
  id: 'oauth.hosts.remove',
  method: 'DELETE',
  path: '/admin/metadata-hosts/:host',
  summary: 'Takes a host from the list; known clients of it stay',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true },
  params: Type.Object({ host: id }),
  answer: hostsAnswer,
  async run({ params }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    by.checkPlatform('The list of hosts')
    await host.hosts.remove(params.host)
    await by.journal.audit('oauth.host_removed', { actor: 'admin', meta: { host: params.host } })
    return answerOf(host, by)
  }
})

/** The operations of the list of hosts. */
export const hostOperations: readonly Operation<AdminHost>[] = [list, allow, remove]
