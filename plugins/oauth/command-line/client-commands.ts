// keelson oauth clients create | list | disable | rotate-secret.
import { readFile } from 'node:fs/promises'
import type { CommandAnswer, CommandCall, CommandHost, PluginCommand } from '@keelson/sdk'
import { KeelsonError } from '@keelson/sdk'
import type { ClientFields } from '../clients/client-fields.ts'
import type { CreatedClient } from '../clients/client-store.ts'
import type { SigningAlg } from '../config/schema.ts'
import type { AuthMethod, GrantType } from '../storage/rows.ts'
import { answer, hostOf, idOf, listOption, textOption } from './call.ts'

/** The fields of the options, or what is missing. */
async function fieldsOf(call: CommandCall): Promise<ClientFields | string> {
  const name = textOption(call, 'name')
  const redirectUris = listOption(call, 'redirect-uri')
  const allowedScopes = listOption(call, 'scope')
  if (name === undefined) return '--name is missing.'
  const grantTypes = listOption(call, 'grant-type')
  const isForPeople = grantTypes.length === 0 || grantTypes.includes('authorization_code')
  if (isForPeople && redirectUris.length === 0) return '--redirect-uri is missing.'
  if (allowedScopes.length === 0) return '--scope is missing.'
  const file = textOption(call, 'jwks')
  const method = textOption(call, 'auth-method')
  const resources = listOption(call, 'resource')
  const jwksUri = textOption(call, 'jwks-uri')
  const logout = listOption(call, 'post-logout-redirect-uri')
  const alg = textOption(call, 'id-token-alg')
  const pkce = textOption(call, 'pkce')
  const tenants = listOption(call, 'tenant')
  const jwks = file === undefined ? undefined : await jsonOf(file)
  if (file !== undefined && jwks === undefined) return `--jwks: ${file} must be a file of JSON.`
  return {
    name,
    redirectUris,
    allowedScopes,
    type: call.options['public'] === true ? 'public' : 'confidential',
    ...(resources.length > 0 && { allowedResources: resources }),
    ...(logout.length > 0 && { postLogoutRedirectUris: logout }),
    ...(method !== undefined && { tokenEndpointAuthMethod: method as AuthMethod }),
    ...(jwksUri !== undefined && { jwksUri }),
    ...(grantTypes.length > 0 && { grantTypes: grantTypes as GrantType[] }),
    ...(alg !== undefined && { idTokenAlg: alg as SigningAlg }),
    ...(pkce !== undefined && { pkce: pkce as 'required' | 'ifSent' }),
    ...(tenants.length > 0 && { tenants: [...tenants] }),
    ...(jwks !== undefined && { jwks })
  }
}

/** The JSON of a file; undefined when it cannot be read. */
async function jsonOf(file: string): Promise<NonNullable<ClientFields['jwks']> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

function create(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    const fields = await fieldsOf(call)
    if (typeof fields === 'string') return { wrongUse: fields }
    try {
      const json = flat(await hostOf(host).clients.create(fields))
      return { json, text: JSON.stringify(json, null, 2) }
    } catch (error) {
      const isWrong = KeelsonError.is(error) && error.code === 'OAU_CLIENT_INVALID'
      if (isWrong) return { wrongUse: error.message }
      throw error
    }
  })
}

/** One flat object: first what must be noted down, then the client's fields. */
const flat = ({ client, clientId, type, clientSecret }: CreatedClient) => ({
  clientId,
  type,
  ...(clientSecret !== undefined && { clientSecret }),
  name: client.name,
  redirectUris: client.redirectUris,
  allowedScopes: client.allowedScopes,
  allowedResources: client.allowedResources,
  tokenEndpointAuthMethod: client.tokenEndpointAuthMethod
})

function list(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    const status = textOption(call, 'status')
    if (status !== undefined && status !== 'active' && status !== 'disabled') {
      return { wrongUse: '--status must be active or disabled.' }
    }
    const { items } = await hostOf(host).clients.list({
      limit: 200,
      ...(status !== undefined && { status })
    })
    const rows = items.map((client) => [client.clientId, client.type, client.status, client.name])
    const text = rows.map((row) => row.join('  ')).join('\n')
    return { json: { items }, text: text === '' ? 'No clients.' : text }
  })
}

function disable(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    if (idOf(call) === '') return { wrongUse: 'The id of the client is missing.' }
    const ended = await hostOf(host).clients.disable(idOf(call))
    const text = `Disabled. ${ended.grantsRevoked} grants and ${ended.tokensRevoked} tokens ended.`
    return { json: ended, text }
  })
}

function rotateSecret(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    if (idOf(call) === '') return { wrongUse: 'The id of the client is missing.' }
    const given = textOption(call, 'retire-after')
    const retireAfter = given === undefined ? 0 : Number(given) * 1000
    if (!Number.isFinite(retireAfter) || retireAfter < 0) {
      return { wrongUse: '--retire-after must be a number of seconds.' }
    }
    const { clientId, clientSecret } = await hostOf(host).clients.rotateSecret(idOf(call), {
      retireAfter
    })
    const text = `${clientSecret}\nNote it down: it is shown this once.`
    return { json: { clientId, clientSecret }, text }
  })
}

export const clientCommands: readonly PluginCommand[] = [
  {
    name: 'clients create',
    summary: 'Makes a client and prints it. Its secret is shown this once.',
    options: {
      name: { type: 'string', description: 'Shown at consent.' },
      'redirect-uri': { type: 'string', multiple: true, description: 'A callback.' },
      scope: { type: 'string', multiple: true, description: 'A scope it may ask for.' },
      resource: {
        type: 'string',
        multiple: true,
        description: 'A resource it may ask for. Default: those that exist now.'
      },
      public: { type: 'boolean', description: 'A public client: it has no secret.' },
      'auth-method': {
        type: 'string',
        description: 'client_secret_basic (default), client_secret_post, private_key_jwt or none.'
      },
      jwks: {
        type: 'string',
        placeholder: 'FILE',
        description: 'Its public keys, for private_key_jwt.'
      },
      'jwks-uri': { type: 'string', description: 'Address of its public keys, instead of --jwks.' },
      'grant-type': {
        type: 'string',
        multiple: true,
        description:
          'A grant, as client_credentials. Default: authorization_code and refresh_token.'
      },
      'id-token-alg': {
        type: 'string',
        description: 'RS256, for libraries that take nothing else. Default: ES256.'
      },
      pkce: {
        type: 'string',
        description:
          'required (default), or ifSent for a confidential client that sends openid and a nonce instead.'
      },
      tenant: {
        type: 'string',
        multiple: true,
        description: 'A tenant that it is for. Default: everyone.'
      },
      'post-logout-redirect-uri': {
        type: 'string',
        multiple: true,
        description: 'Where people may go after signing out.'
      }
    },
    run: create
  },
  {
    name: 'clients list',
    summary: 'Lists the newest 200 clients, without secrets.',
    options: { status: { type: 'string', description: 'Only active or only disabled ones.' } },
    run: list
  },
  {
    name: 'clients disable',
    summary: 'Ends all access of a client at once.',
    positionals: '<id>',
    run: disable
  },
  {
    name: 'clients rotate-secret',
    summary: 'Makes a new secret and prints it, this once.',
    positionals: '<id>',
    options: {
      'retire-after': {
        type: 'string',
        placeholder: 'SECONDS',
        description: 'How long older secrets still work. Default: 0.'
      }
    },
    run: rotateSecret
  }
]
