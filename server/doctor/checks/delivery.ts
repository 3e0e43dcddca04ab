import { mediaOrigin } from '../../settings/media-settings.ts'
import { broken, type Check, fine, type Finding } from '../finding.ts'

/**
 * If listeners are sent to the object store: it must answer range requests and allow the shop's pages to read the
 * response (CORS).
 */
export const checkDelivery: Check = async ({ media, config }) => {
  const { delivery } = config.media
  if (delivery === 'proxy') return fine('Sound and e-books are sent by the proxy, out of DATA_DIR/media.')
  if (delivery === 'server') return fine(`Sound and e-books are sent by this server, out of ${media.name}.`)
  const pages = new URL(config.publicUrl).origin
  for await (const { path } of media.list()) {
    const address = await media.sign(path, { type: 'audio/mpeg' })
    return (
      (address && (await askAsPage(address, pages))) ||
      fine(`${mediaOrigin(config.media)} answers listeners.`)
    )
  }
  return fine('There is nothing to listen to yet.')
}

async function askAsPage(address: string, origin: string): Promise<Finding | undefined> {
  const { host } = new URL(address)
  const answer = await fetch(address, {
    headers: { range: 'bytes=0-0', origin },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer?.status !== 206)
    return broken(
      `${host} answers ${answer?.status ?? 'nothing'} to a listener. With a CDN: it has to pass on the whole address and ask the store under the store’s own name.`,
    )
  const { headers } = answer
  const isLetIn = ['*', origin].includes(headers.get('access-control-allow-origin') ?? '')
  if (isLetIn && /content-range|\*/i.test(headers.get('access-control-expose-headers') ?? ''))
    return undefined
  return broken(
    `${host} does not let pages of ${origin} read what it answers, so nothing can be downloaded. Its CORS rule needs this origin, GET, the header Range, and Content-Range exposed.`,
  )
}
