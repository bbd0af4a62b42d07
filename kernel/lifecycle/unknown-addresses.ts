// Unknown addresses that are the kernel's: answered here, all others by the host.
import type { FastifyRequest } from 'fastify'
import { isUnanswered } from '../fastify-internals/unanswered.ts'
import { onUnmatched } from '../fastify-internals/unmatched.ts'
import { isForPlatform } from '../guards/host-names.ts'
import { answers } from '../http/answers.ts'
import { KERNEL_OWNER } from '../http/owner.ts'
import { groupOf, isAtOrBelow } from '../platform/kernel-addresses.ts'
import { isOpen, type Kernel } from './kernel.ts'

/**
 * Answers below the prefix, below the mounts of plugins and at the kernel's own addresses. Where the
 * shell is at the root of the host, also what the host has no not-found handler for. A hook and not a
 * handler: Fastify has one not-found handler for the root, and that is the host's to set.
 */
export function answerUnknownAddresses(kernel: Kernel): void {
  const { app, measuring, role } = kernel
  const meterOf = (plugin: string) =>
    measuring.meter({ plugin, method: 'any', route: 'not_found', isQuiet: false })
  const [own, hosts] = [meterOf(KERNEL_OWNER), meterOf('host')]
  // Before the body is parsed: a fault of the body must not decide the answer.
  onUnmatched(app, (request, reply, _payload, done) => {
    if (!isKernels(kernel, request)) {
      hosts.begin(request, reply)
      done()
      return
    }
    own.begin(request, reply)
    if (isOpen(kernel) && !isForPlatform(kernel, request)) answers.unknownHost(reply)
    else if (role === 'worker' || kernel.shell === undefined) answers.notFound(reply)
    else kernel.shell.notFound(request, reply)
  })
}

/** What the log says of an address of no route; undefined for the host's. */
export function unmatchedPattern(kernel: Kernel, request: FastifyRequest): string | undefined {
  const { addresses, running, absent } = kernel
  const path = pathOf(request)
  const mounts = [...running.map(({ plugin }) => plugin), ...absent].map(({ mount }) => mount)
  const below = [addresses.prefix, ...mounts].filter((base) => base !== '' && base !== '/')
  const base = below.find((one) => isAtOrBelow(path, one))
  return base && `${base}/*`
}

function isKernels(kernel: Kernel, request: FastifyRequest): boolean {
  const path = pathOf(request)
  const { addresses, running, absent } = kernel
  const { prefix, shell } = addresses
  if (prefix !== '' && isAtOrBelow(path, prefix)) return true
  if (groupOf(addresses, path) !== undefined) return true
  const plugins = [...running.map(({ plugin }) => plugin), ...absent]
  if (plugins.some(({ mount }) => mount !== '/' && isAtOrBelow(path, mount))) return true
  return shell === '/' && isUnanswered(request)
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url
