import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answer } from '../http/error-responses.ts'
import { notFound } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'
import { OWNERS_FILES } from './shop-pictures.ts'
import { type Build, keepRelease, keptAssets } from './releases.ts'

const DIST = join(import.meta.dirname, '../../dist')
export const CLIENT = join(DIST, 'client')

const keptIn = (dataDir: string) => join(dataDir, 'assets')

/** Copies this release's files, so that pages still open after the next upgrade can load them. */
export async function keepAssets({ config, log, now }: Pick<Shop, 'config' | 'log' | 'now'>): Promise<void> {
  const assets = join(DIST, 'client/assets')
  if (config.dev || !existsSync(assets)) return
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools/build.ts writes it
    const build = JSON.parse(await readFile(join(DIST, 'built.json'), 'utf8')) as Build
    await keepRelease(keptIn(config.dataDir), assets, build, now())
  } catch (error) {
    log.warn({ err: error }, 'the files of this release could not be copied to DATA_DIR/assets')
  }
}

/** The built client: hashed files are cached for ever; the service worker and the manifest are always revalidated. */
export async function serveAssets(
  app: FastifyInstance,
  { dataDir, client = CLIENT }: { dataDir: string; client?: string },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: client,
    prefix: '/',
    index: false,
    preCompressed: true,
    wildcard: false,
    globIgnore: ['**/.vite/**', '**/index.html', '**/*.br', '**/*.gz', ...OWNERS_FILES],
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (!path.includes('service-worker.js')) return
      reply.header('service-worker-allowed', '/')
      // The worker's own requests follow the policy that its script was served with.
      reply.header('content-security-policy', "default-src 'self'")
    },
  })
  // Files of this release have their own routes, which match first.
  const folderOf = keptAssets(keptIn(dataDir))
  app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
    const folder = await folderOf(file)
    return folder ? reply.sendFile(file, folder) : answer(reply, notFound())
  })
}
