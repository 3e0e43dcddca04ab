import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Shop } from '../../shop.ts'
import { type SentFile, sendFile } from './send-file.ts'

/** Below this the proxy finds the folder `media` of `DATA_DIR`, and answers nobody by himself (docs/operating.md). */
const PROXYS_FOLDER = '/media-files/'

/**
 * Hands sound and e-books over as their owner has chosen, after it was asked whether they may be had: from here, from
 * the store itself by a short-lived address, or by the proxy.
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
  // The address is signed for fetching alone.
  const address =
    delivery === 'store' && request.method === 'GET'
      ? await media.sign(file.path, { type: file.type, ...(disposition ? { disposition } : {}) })
      : null
  if (address === null) return sendFile(media, request, reply, file)
  return reply.header('cache-control', 'private, no-store').redirect(address, 302)
}
