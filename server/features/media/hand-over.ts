import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Shop } from '../../shop.ts'
import { type SentFile, sendFile } from './send-file.ts'

/** The proxy maps it to the folder `media` of `DATA_DIR` and refuses it to clients (docs/operations/media.md). */
const PROXYS_FOLDER = '/media-files/'

/**
 * From this server, by a short-lived address of the object store, or by the proxy (`X-Accel-Redirect`). The caller
 * has checked access.
 */
export async function handOver(
  { media, config }: Pick<Shop, 'media' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
): Promise<FastifyReply> {
  const { delivery } = config.media
  const disposition = file.headers['content-disposition']
  if (delivery === 'proxy')
    return reply
      .headers(file.headers)
      .type(file.type)
      .header('x-accel-redirect', PROXYS_FOLDER + file.path)
      .send()
  // The address is signed for GET requests only.
  const address =
    delivery === 'store' && request.method === 'GET'
      ? await media.sign(file.path, { type: file.type, ...(disposition ? { disposition } : {}) })
      : null
  if (address === null) return sendFile(media, request, reply, file)
  return reply.header('cache-control', 'private, no-store').redirect(address, 302)
}
