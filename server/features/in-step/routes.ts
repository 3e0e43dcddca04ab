import * as contract from '#contract/in-step.ts'
import { forbidden, notFound, tooMany } from '../../http/http-errors.ts'
import { noteCaller } from '../../log/log-context.ts'
import { addressee, downloadAddress } from '../media/signed-addresses.ts'
import { attachment, fileName, missing } from '../media/send-file.ts'
import { selectSpokenTitle } from './queries.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { chapterVtt, inStepFile, sampleVtt, spokenBook } from './service.ts'

export function registerInStep(server: ApiServer): void {
  const { app, shop } = server
  const { db } = shop
  /** Each unpacks an e-book and sends an audiobook. */
  const sending = new Set<string>()
  serve(server, contract.getInStep, ({ caller, params }) => inStepFile(db, caller.userId, params.slug))
  serve(server, contract.getInStepChapter, ({ caller, params }) =>
    chapterVtt(db, caller.userId, params.slug, params.chapter),
  )
  serve(server, contract.getSpokenBook, async ({ caller, params: { slug } }) => {
    const title = await selectSpokenTitle(db, caller.userId, { slug })
    if (!title) throw notFound()
    // Not every EPUB can be changed, and a download that fails has no message.
    const { close } = await spokenBook(shop, caller.userId, title.bookId).catch(missing)
    await close()
    return { url: downloadAddress(shop, caller, `/media/spoken/${title.bookId}.epub`) }
  })
  const address = '/media/spoken/:id(^\\d{1,9}).epub'
  app.get<{ Params: { id: string } }>(address, { exposeHeadRoute: false }, async (request, reply) => {
    const userId = await addressee(shop, request.url)
    if (userId === null) throw forbidden('This address has expired. Please ask for it again.')
    noteCaller(userId)
    if (sending.has(userId)) throw tooMany(10, 'You already have a download under way.')
    sending.add(userId)
    reply.raw.once('close', () => sending.delete(userId))
    const { title, entries, close } = await spokenBook(shop, userId, Number(request.params.id)).catch(missing)
    // The client may have gone while it was made.
    if (reply.raw.closed) await close()
    else reply.raw.once('close', () => void close())
    const { zipBytes, zipStream } = await import('../media/zip.ts')
    const bytes = zipBytes(entries)
    if (bytes !== undefined) reply.header('content-length', bytes)
    shop.metrics.downloads.add(1, 'e_book')
    return reply
      .type('application/epub+zip')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(fileName(title, 'epub')))
      .send(await zipStream(entries, shop.now()))
  })
  serve(server, contract.getInStepSample, ({ params }) => sampleVtt(db, params.slug))
}
