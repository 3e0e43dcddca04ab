import { extname, join } from 'node:path'
import { startSound, storePicture, storeSound } from '#contract/office/media.ts'
import { selectPicture } from '../../features/documents/picture-queries.ts'
import { refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { LoadImporter } from '../importer.ts'
import { recordingOf, removeBatch, startRecording } from '../imports/service.ts'
import { folderOf, receivedFiles } from '../imports/uploads.ts'

const PICTURES: Limit = { name: 'office pictures of', most: 200, windowSeconds: 3600 }

export function registerDocumentMedia(server: ApiServer, importer: LoadImporter): void {
  const { shop } = server

  serve(server, storePicture, async ({ body: { base64 }, staff }) => {
    await countOrRefuse(shop.db, PICTURES, staff.staffId, shop.now())
    const id = await (await importer()).storePicture(shop, Buffer.from(base64, 'base64'))
    return (await selectPicture(shop.db, id))!
  })
  serve(server, startSound, ({ staff }) => startRecording(shop, staff))
  serve(server, storeSound, async ({ body: { batch }, staff }) => {
    const { id } = await recordingOf(shop, staff, batch)
    const sounds = (await receivedFiles(shop, id)).filter(({ path }) => /^\.(mp3|m4a)$/i.test(extname(path)))
    if (sounds.length !== 1) throw refused('Choose one MP3 or M4A file.')
    const stored = await (await importer()).storeSound(shop, join(folderOf(shop, id), sounds[0]!.path))
    await removeBatch(shop, id)
    return stored
  })
}
