// What can go wrong after the validate phase: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const registrationErrors = {
  KRN_KERNEL_TWICE: {
    message: 'The kernel is registered twice on one Fastify app.',
    remedy: 'Register it once and give it every plugin.',
    status: 500
  },
  KRN_SCOPE_PREFIX: {
    message: 'The kernel is registered in a Fastify scope that has the prefix {prefix}.',
    remedy:
      "Register it on the app itself: app.register(keelson, { prefix: '{prefix}', config }) puts all of it below the prefix.",
    status: 500
  },
  KRN_ADDRESS_TAKEN: {
    message: 'The kernel and {other} both serve {route}.',
    remedy: 'Set {setting} in the config to another address; addresses.* may also be false.',
    status: 500
  },
  KRN_ROUTE_TAKEN: {
    message: 'Plugin {plugin} and {other} both serve {route}.',
    remedy:
      'Give one of them another address: plugins.{plugin}.mount in the config moves the plugin.',
    status: 500
  },
  KRN_STANDALONE_APP: {
    message: 'Plugin {plugin} used the Fastify app on a host without the kernel, which has none.',
    remedy: 'Make a router for that host, and register routes, hooks and the like there.',
    status: 500
  },
  KRN_NO_KERNEL: {
    message: 'This Fastify app has no Keelson kernel.',
    remedy:
      'Register it first: await app.register(keelson, { config }). If a plugin of yours registers it, wrap that plugin with fastify-plugin: without it, it has a scope of its own.',
    status: 500
  },
  KRN_PREPARE_FAILED: {
    message: 'Plugin {plugin} could not prepare: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_PREPARE_TIMEOUT: {
    message: 'Plugin {plugin} did not finish its prepare within {seconds} s.',
    remedy: 'Find what it waits for; prepare must end by itself.',
    status: 500
  },
  KRN_REGISTER_FAILED: {
    message: 'Plugin {plugin} could not register: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_REGISTER_TIMEOUT: {
    message: 'Plugin {plugin} did not finish its register within {seconds} s.',
    remedy: 'Move what takes long to `prepare`, which has its own deadline.',
    status: 500
  },
  KRN_READY_FAILED: {
    message: 'Plugin {plugin} failed in onReady: {reason}.',
    remedy:
      'See the cause; correct it and start again, or set plugins.{plugin}.onFailure to "disable".',
    status: 500
  },
  KRN_START_ABORTED: {
    message: 'The start was aborted in the phase {phase}.',
    remedy: 'Start again when it is wanted.',
    status: 503
  },
  KRN_ROUTE_UNDECLARED: {
    message: 'Plugin {plugin} registers {route}, which its plugin.json does not declare.',
    remedy: 'Declare it under `routes`, with the band of who may call it.',
    status: 500
  },
  KRN_OPERATION_ENTRY: {
    message:
      'Plugin {plugin} serves {operation} at {route}, which its plugin.json does not declare as that operation.',
    remedy: 'Run keelson build in the folder of the plugin: it writes the entries of operations.',
    status: 500
  },
  KRN_ROUTE_MISSING: {
    message: 'Plugin {plugin} declares {route} ({path} in plugin.json) but does not register it.',
    remedy: 'Serve it with host.serve or host.route, or remove the declaration.',
    status: 500
  },
  KRN_ROUTE_VERIFY: {
    message: 'Plugin {plugin}: the machine route {route} has no `verify`.',
    remedy: 'Give host.route a `verify(request)` that returns who calls, or null.',
    status: 500
  },
  KRN_SCOPE_UNDECLARED: {
    message:
      'Plugin {plugin}: the bearer route {route} asks for the scope "{scope}", which {path} in its plugin.json does not declare.',
    remedy: 'Declare it under `scopes` of the route.',
    status: 500
  },
  KRN_COLLECTION_UNDECLARED: {
    message:
      'Plugin {plugin} asks for the collection "{collection}", which its plugin.json does not declare.',
    remedy: 'Declare it under `collections`, or ask its owner for a capability.',
    status: 500
  },
  KRN_JOB_UNDECLARED: {
    message:
      'Plugin {plugin} gives a handler for the job "{job}", which its plugin.json does not declare.',
    remedy: 'Declare it under `jobs`.',
    status: 500
  },
  KRN_JOB_MISSING: {
    message:
      'Plugin {plugin} declares the job "{job}" ({path} in plugin.json) but gives no handler.',
    remedy: 'Call host.job("{job}", handler) in register, or remove the declaration.',
    status: 500
  },
  KRN_QUEUE_UNDECLARED: {
    message:
      'Plugin {plugin} asks for the queue "{queue}", which its plugin.json does not declare.',
    remedy: 'Declare it under `queues`.',
    status: 500
  },
  KRN_QUEUE_MISSING: {
    message:
      'Plugin {plugin} declares the queue "{queue}" ({path} in plugin.json) but gives no handler.',
    remedy: 'Call host.queue("{queue}", handler) in register, or remove the declaration.',
    status: 500
  },
  KRN_HANDLER_TWICE: {
    message: 'Plugin {plugin} gives {what} twice.',
    remedy: 'Give it once.',
    status: 500
  },
  KRN_PROVIDE_UNDECLARED: {
    message: 'Plugin {plugin} provides {capability}, which its plugin.json does not declare.',
    remedy: 'Declare it under `provides`.',
    status: 500
  },
  KRN_PROVIDE_MISSING: {
    message:
      'Plugin {plugin} declares {capability} ({path} in plugin.json) but does not provide it.',
    remedy: 'Call host.provide("{capability}", value) in register, or remove the declaration.',
    status: 500
  },
  KRN_USE_UNDECLARED: {
    message: 'Plugin {plugin} uses {capability}, which its plugin.json does not declare.',
    remedy: 'Declare it under `uses`.',
    status: 500
  },
  KRN_USE_TOO_EARLY: {
    message: 'Plugin {plugin} uses {capability} before it is provided.',
    remedy: 'Ask for it in onReady or in a handler.',
    status: 500
  },
  KRN_HOST_USE_ABSENT: {
    message: 'The host uses {capability}, which no running plugin provides.',
    remedy:
      'Enable a plugin that provides it, ask after await app.register(keelson), or pass { optional: true }.',
    status: 500
  },
  KRN_USE_ABSENT: {
    message:
      'Plugin {plugin} uses {capability} ({path} in plugin.json), which it declares as optional and no plugin provides.',
    remedy:
      'Ask with host.use(contract, { optional: true }) and do without it when it is undefined.',
    status: 500
  },
  KRN_PROVIDE_UNFIT: {
    message: 'Plugin {plugin} provides {capability}, but it does not fit: {path} {reason}.',
    remedy: 'Correct it: the contract of {capability} says what it must have.',
    status: 500
  },
  KRN_CONTRIBUTION_UNFIT: {
    message: 'Plugin {plugin} extends {point}, but its contribution does not fit: {path} {reason}.',
    remedy: 'Correct it: the contract of {point} says what it must have.',
    status: 500
  },
  KRN_POINT_UNDECLARED: {
    message:
      'Plugin {plugin} extends {point}, which its plugin.json does not declare under `uses`.',
    remedy: 'Declare it under `uses`.',
    status: 500
  },
  KRN_POINT_FOREIGN: {
    message:
      'Plugin {plugin} reads the contributions of {point}, which its plugin.json does not declare.',
    remedy: 'Declare it under `extensionPoints`, or ask its owner for a capability.',
    status: 500
  },
  KRN_TOO_LATE: {
    message: 'Plugin {plugin} calls host.{what} after its register phase.',
    remedy: 'Call it in register.',
    status: 500
  },
  KRN_HEALTH_NAME: {
    message: 'Plugin {plugin}: the name "{check}" of a health check is invalid.',
    remedy: 'Use up to 63 lower case letters, digits and hyphens, a letter first.',
    status: 500
  },
  KRN_HEALTH_TIMEOUT: {
    message: 'Plugin {plugin}: the health check "{check}" did not end within {seconds} s.',
    remedy: 'Pass its signal on to what it waits for, or look at less.',
    status: 500
  },
  KRN_HEALTH_ANSWER: {
    message: 'Plugin {plugin}: the health check "{check}" did not return a health.',
    remedy: "Return { state: 'ok' }, or 'degraded' or 'failing' with a reason.",
    status: 500
  },
  KRN_PAGE_MODULE: {
    message: 'Plugin {plugin}: the module of {path} in plugin.json is missing ({file}).',
    remedy: 'Build the pages, or correct `module`.',
    status: 500
  },
  KRN_VIEWER_FAILED: {
    message: 'Who is looking could not be resolved.',
    remedy: 'See the log of the host for the cause.',
    status: 500
  },
  KRN_VIEWER_INVALID: {
    message: 'The viewer of a request is invalid: {field} is missing or empty.',
    remedy:
      'Let resolveViewer (or the provider of auth.viewer/v1) return a viewer with a tenantId and a role, or null when the request is not signed in.',
    status: 500
  },
  KRN_VIEWER_LATE: {
    message:
      'resolveViewer found no viewer before the guards of routes, and finds one after them, so every call is refused as signed out.',
    remedy:
      'Register the sign-in before the kernel, with hooks for onRequest or preValidation, or let resolveViewer read the session itself.',
    status: 500
  },
  KRN_TRY_PATH: {
    message: 'The path parameter "{name}" is missing, or cannot be part of a path.',
    remedy: 'Go back to the page of the API and enter a value.',
    status: 400
  },
  KRN_NOT_OPEN: {
    message: 'The kernel has no database yet: it is in the phase {phase}.',
    remedy: 'Await app.ready() before you use its storage or schedule.',
    status: 500
  }
} as const satisfies ErrorTable
