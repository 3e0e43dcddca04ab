import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'

const CLIENT = join(import.meta.dirname, '../../dist/client')

/** The built client: hashed files are cached for ever, the worker and the manifest are always checked first. */
export async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: CLIENT,
    prefix: '/',
    index: false,
    preCompressed: true,
    decorateReply: false,
    wildcard: false,
    globIgnore: ['**/.vite/**', '**/index.html', '**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (!path.includes('service-worker.js')) return
      reply.header('service-worker-allowed', '/')
      // The worker's own requests follow the policy its script was served with.
      reply.header('content-security-policy', "default-src 'self'")
    },
  })
}
